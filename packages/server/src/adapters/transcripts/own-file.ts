/** Names of files in the folder that the CLI keeps beside a session's transcript. Agents can write there: nothing is followed out of it. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** One of ours: a name, and no way to anywhere. */
const plainName = /^[\w-](?:[\w.-]{0,198}[\w-])?$/

/** Where such a file would be; undefined for names that are none, and without a folder. */
export async function ownPath(transcriptPath: string, ...names: string[]): Promise<string | undefined> {
  if (!names.every((name) => plainName.test(name))) return undefined
  const folder = await realpath(dirname(transcriptPath)).catch(() => undefined)
  return folder && join(folder, basename(transcriptPath, '.jsonl'), ...names)
}
