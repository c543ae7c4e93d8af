/** The CLI's own records of conversations, as we find them. */
import type { Frame } from './cli.ts'
import type { Rig } from './rig.ts'

/** Of the rig's project, as we name it. */
export const projectFolder = (rig: Rig): string => `.claude/projects/${rig.cwd.replace(/[^a-zA-Z0-9]/g, '-')}`

/** The entries of a session's transcript. */
export async function transcriptOf(rig: Rig, id: string): Promise<Frame[]> {
  const lines = (await rig.read(`${projectFolder(rig)}/${id}.jsonl`)).trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}
