/** The files of other MCP clients that are on this machine, with their text. */
import { type ClientFilesInput, clientFiles } from '../../core/mcp/client-files.ts'
import { readSourceFile } from './read-source-file.ts'
import { MAX_BYTES } from './source-files.ts'

export async function readClientFiles(
  input: ClientFilesInput,
): Promise<{ client: string; file: string; text: string }[]> {
  const read = clientFiles(input).map(async ({ client, file }) => {
    const result = await readSourceFile(file, { maxBytes: MAX_BYTES })
    return result.state === 'read' ? [{ client, file, text: result.text }] : []
  })
  return (await Promise.all(read)).flat()
}
