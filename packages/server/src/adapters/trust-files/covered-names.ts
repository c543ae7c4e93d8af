/** Which names below a `.claude` folder are covered. What is not known to be data is. */

/**
 * What the CLI (2.1.325) and agents write there in the course of their work, and text that is read like `CLAUDE.md`. None of it runs by
 * itself; where a command names such a file, it is covered as a script.
 */
const dataNames = new Set([
  ...['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'RESUME.md', 'agent-memory', 'agent-memory-local'],
  ...['worktrees', 'projects', 'checkpoints', 'mailbox', 'plans', 'todos', 'tasks', 'jobs', 'state', 'debug'],
  ...['scheduled_tasks.lock', 'agent-registry.json', 'assistant-daemon-state.json'],
  ...['first-run', 'history', 'history.jsonl', 'file-history', 'shell-snapshots', 'session-env', 'statsig'],
  ...['telemetry', 'logs', 'cache', 'ide', 'local', 'bash-log.txt', '.cc-writes', '.DS_Store', 'Thumbs.db'],
])

/** What the CLI loads, by name: in its own folder, which is full of its other things, and in folders above the workspace. */
export const loadedNames: readonly string[] = [
  ...['agents', 'commands', 'skills', 'hooks', 'output-styles', 'rules', 'workflows', 'routines'],
  ...['loop.md', 'launch.json'],
]

/** From folders above the workspace. Rules there are text that is read like `CLAUDE.md`. */
export const loadedFromAbove: readonly string[] = loadedNames.filter((name) => name !== 'rules')

/** `path` is relative to the `.claude` folder. */
export function isData(path: string): boolean {
  const [first = '', second] = path.split('/')
  if (dataNames.has(first) || path.endsWith('/.DS_Store')) return true
  return first === 'routines' && second === '.state'
}
