/**
 * Which prompts may go to the model of a process: the messages that we sent to it, and the news of tasks that it began in a turn of ours.
 * Any other is somebody else's: a schedule's, a plugin's, an agent's own.
 */
import type { MessageContent } from '@dorkos/shared'
import type { CliMessage } from '../ports/agent.ts'

export class PromptCauses {
  /** The words of messages that the CLI has and is not done with. */
  readonly #open = new Map<string, string>()
  /** Of messages that were done with in the last turn: what is said of a message and its prompt can cross. */
  #last = new Set<string>()
  /** For good: a task may report more than once. */
  readonly #tasks = new Set<string>()

  sent(messageId: string, content: MessageContent): void {
    this.#open.set(messageId, promptOf(content))
  }

  /** A turn is over, and these messages with it. */
  done(messageIds: readonly string[]): void {
    this.#last = new Set(messageIds.flatMap((id) => this.#open.get(id) ?? []))
    for (const id of messageIds) this.#open.delete(id)
  }

  takenBack(messageId: string): void {
    this.#open.delete(messageId)
  }

  see({ type, subtype, task_id }: CliMessage): void {
    if (type === 'system' && subtype === 'task_started' && typeof task_id === 'string')
      this.#tasks.add(task_id)
  }

  isOurs(prompt: string): boolean {
    const task = /^<task-notification>\s*<task-id>([^<]*)<\/task-id>/.exec(prompt)?.[1]
    if (task !== undefined && this.#tasks.has(task)) return true
    const words = plain(prompt)
    return this.#last.has(words) || [...this.#open.values()].includes(words)
  }
}

/** As the CLI makes one text of a message (2.1.325). */
function promptOf(content: MessageContent): string {
  if (typeof content === 'string') return plain(content)
  return plain(content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n'))
}

/** White space says nothing about who spoke. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()
