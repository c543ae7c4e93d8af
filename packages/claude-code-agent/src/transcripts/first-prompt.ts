/** What a person first asked in a session, as a line to show in a list. */
import { isRecord } from '@dorkos/processes'
import { saidIn } from './said.ts'
import { type TranscriptEntry, textField } from './transcript-entry.ts'

const maxLength = 200

/** What a user entry says: a prompt, a stand-in for when there is no prompt, or nothing to show. */
export interface PromptText {
  readonly text: string
  /** How good it is as a title: the lowest rank wins. 0 is a prompt. */
  readonly rank: 0 | 1 | 2 | 3
}

/** The prompt in an entry. A slash command stands in where nothing else was asked, and so does text that merely begins with a tag. */
export function promptIn(entry: TranscriptEntry): PromptText | undefined {
  if (entry.type !== 'user' || entry.isMeta === true || entry.isCompactSummary === true) return undefined
  const message = entry.message
  if (!isRecord(message)) return undefined
  const content = message.content
  if (typeof content === 'string') return classify(content)
  if (!Array.isArray(content)) return undefined
  const blocks = content.filter(isRecord)
  if (blocks.some((block) => block.type === 'tool_result')) return undefined
  const texts = blocks.filter((block) => block.type === 'text').map((block) => textField(block, 'text') ?? '')
  const found = texts.map(classify).filter((prompt) => prompt !== undefined)
  const best = found.sort((a, b) => a.rank - b.rank)[0]
  if (best !== undefined) return best
  return blocks.some((block) => block.type === 'image') ? { text: 'Image', rank: 3 } : undefined
}

const ranks = { prompt: 0, shell: 0, command: 1, tagged: 2 } as const

function classify(raw: string): PromptText | undefined {
  const said = saidIn(raw)
  return said && { text: shorten(said.text), rank: ranks[said.kind] }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const points = [...line.slice(0, maxLength * 2)]
  return points.length > maxLength ? `${points.slice(0, maxLength).join('').trimEnd()}…` : line
}

/** Takes entries in order and keeps the best prompt so far; the first of equals. */
export class FirstPrompt {
  #best: PromptText | undefined

  add(entry: TranscriptEntry): void {
    const found = promptIn(entry)
    if (found !== undefined && (this.#best === undefined || found.rank < this.#best.rank)) this.#best = found
  }

  /** True once nothing better can come. */
  get isCertain(): boolean {
    return this.#best?.rank === 0
  }

  get best(): PromptText | undefined {
    return this.#best
  }
}
