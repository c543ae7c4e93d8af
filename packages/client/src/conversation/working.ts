/** What a running turn is doing right now, by the newest thing in it. */
import type { Item, ToolItem } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { toolTitle, verbText } from './tools/tool-title.ts'

export interface Working {
  verb: string
  /** A person is asked: nothing moves until they answer. */
  waits: boolean
}

export function workingOn(items: readonly Item[], turnStart: string, waits: boolean): Working {
  const words = text.conversation.workingVerbs
  if (waits) return { verb: words.waiting, waits: true }
  const last = items.findLast((item) => item.kind !== 'marker')
  if (last === undefined || last.time < turnStart) return { verb: words.starting, waits: false }
  if (last.kind === 'user') return { verb: words.starting, waits: false }
  if (last.kind === 'thinking' && last.streaming) return { verb: words.thinking, waits: false }
  if (last.kind === 'text' && last.streaming) return { verb: words.writing, waits: false }
  const running = items.findLast(
    (item): item is ToolItem => item.kind === 'tool' && item.status === 'running',
  )
  if (running) return { verb: toolVerb(running), waits: false }
  if (last.kind === 'tool' && last.status === 'writing') return { verb: words.writing, waits: false }
  return { verb: words.thinking, waits: false }
}

function toolVerb(item: ToolItem): string {
  const { verb, target, mono } = toolTitle(item, undefined)
  const what = verb === 'run' || (verb === 'call' && mono) ? shortName(item.name, target) : ''
  return [verbText(verb, 'running'), what].filter((part) => part !== '').join(' ')
}

function shortName(name: string, target: string): string {
  return name === 'Bash' ? name : target.slice(0, 60)
}
