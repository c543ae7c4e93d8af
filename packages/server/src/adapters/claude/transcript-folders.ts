/** Which of the CLI's folders has a session's transcript. */
import { findTranscriptFile } from '../transcripts/find-transcript-file.ts'

export interface TranscriptFolder {
  configDir: string
  /** The folder of a container, which no CLI but this server's works in. */
  isOurs: boolean
}

export interface TranscriptFoldersParts {
  /** The owner's, or the demo model's. */
  configDir: string
  /** The folder of the container that the session belongs into. */
  containerOf(cliSessionId: string): Promise<string | undefined>
}

/** Goes by where the session belongs, not by where a file is: in a container's folder an agent can put a file under any name. */
export function createTranscriptFolders({
  configDir,
  containerOf,
}: TranscriptFoldersParts): (cliSessionId: string) => Promise<TranscriptFolder> {
  return async (cliSessionId) => {
    const outside = { configDir, isOurs: false }
    const container = await containerOf(cliSessionId)
    if (container === undefined) return outside
    const isIn = (folder: string) => findTranscriptFile([folder], cliSessionId)
    // One of a terminal, in a directory that became a container's workspace later.
    if (!(await isIn(container)) && (await isIn(configDir))) return outside
    return { configDir: container, isOurs: true }
  }
}
