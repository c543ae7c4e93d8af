/** Which conversation "continue" means. Looked up here and not by the CLI's `--continue`, so that its id is known at the start. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { listSessions } from '../transcripts/on-disk.ts'

/** The newest session of the directory, as a CLI with this environment keeps them; undefined when there is none. */
export async function latestSession(
  cwd: string | undefined,
  env: Record<string, string | undefined>,
): Promise<string | undefined> {
  const configDir = env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude')
  const [newest] = await listSessions({
    dir: cwd ?? process.cwd(),
    configDir,
    limit: 1,
    includeWorktrees: false,
  })
  return newest?.sessionId
}
