/** What a line typed into a chat means. */
import { type Effort, effortLevels, type PermissionMode, permissionModes } from '@dorkos/shared'

export type ChatCommand =
  | { kind: 'message'; text: string }
  /** The line goes on in the next one. */
  | { kind: 'more'; text: string }
  | { kind: 'stop' | 'queue' | 'run' | 'drop' | 'answer' | 'quit' | 'help' | 'nothing' }
  | { kind: 'model'; model: string | undefined }
  | { kind: 'effort'; effort: Effort | undefined }
  | { kind: 'mode'; mode: PermissionMode }
  | { kind: 'fault'; message: string }

export const chatHelp = `  /stop          stop the running turn; queued messages stay queued
  /queue         show queued messages
  /run           run messages paused by a stop; so does your next message
  /drop          delete all queued messages
  /answer        answer approvals you left open
  /model <name>  change the model; without a name, back to the default
  /effort <how>  change how hard it thinks: ${effortLevels.join(', ')}; without a word, back to the default
  /mode <name>   change the permission mode: ${permissionModes.join(', ')}
  /quit          leave; the session keeps running
End a line with \\ to continue it on the next. Start a line with // to send the agent one of its own / commands.
`

/** `before`: lines that ended with a backslash. */
export function readChatLine(line: string, before: readonly string[]): ChatCommand {
  if (line.endsWith('\\')) return { kind: 'more', text: line.slice(0, -1) }
  if (before.length > 0) return message([...before, line].join('\n'))
  if (line.startsWith('//')) return message(line.slice(1))
  if (!line.startsWith('/')) return message(line)
  const [name = '', ...rest] = line.trim().slice(1).split(/\s+/)
  const argument = rest.join(' ')
  switch (name) {
    case 'stop':
    case 'queue':
    case 'run':
    case 'drop':
    case 'answer':
    case 'help':
      return { kind: name }
    case 'quit':
    case 'exit':
      return { kind: 'quit' }
    case 'model':
      return { kind: 'model', model: argument === '' ? undefined : argument }
    case 'effort': {
      const effort = effortLevels.find((known) => known === argument)
      return effort || argument === ''
        ? { kind: 'effort', effort }
        : { kind: 'fault', message: `Choose one of ${effortLevels.join(', ')}.` }
    }
    case 'mode': {
      const mode = permissionModes.find((known) => known === argument)
      return mode
        ? { kind: 'mode', mode }
        : { kind: 'fault', message: `Choose one of ${permissionModes.join(', ')}.` }
    }
    default:
      return {
        kind: 'fault',
        message: `There’s no command /${name}. /help lists them; //${name} sends it to the agent.`,
      }
  }
}

function message(text: string): ChatCommand {
  return text.trim() === '' ? { kind: 'nothing' } : { kind: 'message', text }
}
