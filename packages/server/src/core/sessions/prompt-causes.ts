/**
 * Which prompts may go to the model of a process: the messages that we sent to it, and the news of tasks that it began in a turn of ours.
 * Any other is somebody else's: a schedule's, a plugin's, an agent's own.
 */
import type { MessageContent } from '@dorkos/shared'
import type { CliMessage } from '../ports/agent.ts'

/** More tasks of one process are not remembered; the oldest goes first, and its news then count as somebody else's. */
const mostTasks = 10_000

export class PromptCauses {
  /** Messages that the CLI has, and that it may still put to the model. */
  readonly #open = new Map<string, { words: string; isBegun: boolean }>()
  /** Also of those that are over: a task may report more than once. */
  readonly #tasks = new Set<string>()

  sent(messageId: string, content: MessageContent): void {
    this.#open.set(messageId, { words: promptOf(content), isBegun: false })
  }

  begun(messageId: string): void {
    const message = this.#open.get(messageId)
    if (message) message.isBegun = true
  }

  /** The CLI is done with these, or never had them. */
  done(...messageIds: readonly string[]): void {
    for (const id of messageIds) this.#open.delete(id)
  }

  see({ type, subtype, task_id }: CliMessage): void {
    if (type !== 'system' || subtype !== 'task_started' || typeof task_id !== 'string') return
    this.#tasks.add(task_id)
    const oldest = this.#tasks.size > mostTasks ? this.#tasks.values().next().value : undefined
    if (oldest !== undefined) this.#tasks.delete(oldest)
  }

  /**
   * Each message is good for one prompt once it has begun: the same words again are somebody else's. One that was sent into a running turn is
   * put to the model before it begins, and again if the turn was stopped meanwhile (2.1.325).
   */
  isOurs(prompt: string): boolean {
    const task = /^<task-notification>\s*<task-id>([^<]*)<\/task-id>/.exec(prompt)?.[1]
    if (task !== undefined && this.#tasks.has(task)) return true
    const words = plain(prompt)
    const [id, message] = [...this.#open].find(([, one]) => one.words === words) ?? []
    if (id !== undefined && message?.isBegun) this.#open.delete(id)
    return id !== undefined
  }
}

/** As the CLI makes one text of a message (2.1.325). */
function promptOf(content: MessageContent): string {
  if (typeof content === 'string') return plain(content)
  return plain(content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n'))
}

/** White space says nothing about who spoke. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()
