/** Messages that the CLI wrote into the conversation: what they are, by how they begin (seen with CLI 2.1.325). */
import { text } from '../text/text.ts'

export interface Synthetic {
  label: string
  /** Without the CLI's tags around it. */
  words: string
}

const tag = (name: string) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`)
const commandName = tag('command-name')
const commandArgs = tag('command-args')
const output = tag('local-command-stdout')
const reminder = /^\s*<system-reminder>/
const task = /^\s*<task-notification>/
const summary = /^This session is being continued from a previous conversation/

export function readSynthetic(words: string): Synthetic {
  const command = commandName.exec(words)?.[1]?.trim()
  if (command) {
    return {
      label: text.conversation.syntheticCommand(command),
      words: commandArgs.exec(words)?.[1]?.trim() ?? '',
    }
  }
  const printed = output.exec(words)?.[1]
  if (printed !== undefined) return { label: text.conversation.syntheticOutput, words: printed.trim() }
  if (reminder.test(words)) return { label: text.conversation.syntheticReminder, words: withoutTags(words) }
  if (task.test(words)) return { label: text.conversation.syntheticTask, words: withoutTags(words) }
  if (summary.test(words)) return { label: text.conversation.syntheticSummary, words }
  return { label: text.conversation.synthetic, words }
}

function withoutTags(words: string): string {
  return words.replace(/<\/?(?:system-reminder|task-notification)>/g, '').trim()
}
