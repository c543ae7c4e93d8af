/**
 * What the tabs of this browser show, so that the one that notifies knows what is viewed in another. Each tab sends what it
 * shows; a tab that is hidden or closed sends that it shows nothing.
 */
import type { Sight } from './alerts.ts'

export interface TabCounts {
  waiting: number
  finished: number
}

/** Undefined: nobody views this tab. */
export type Shown = { session: string | undefined; inbox: boolean } | undefined

type Message =
  | { type: 'shown'; tab: string; shown: Shown }
  | { type: 'who' }
  /** From the tab that hears the server while all are hidden. */
  | { type: 'counts'; counts: TabCounts }

export interface TabSight {
  /** Of all tabs, this one included. */
  sight(): Sight
  show(shown: Shown): void
  sendCounts(counts: TabCounts): void
  stop(): void
}

interface Channel {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
  close(): void
}

export interface TabSightParts {
  /** Undefined where browsers have none: then each tab knows only itself. */
  channel: Channel | undefined
  tab: string
  onChange(): void
  onCounts(counts: TabCounts): void
}

export function createTabSight({ channel, tab, onChange, onCounts }: TabSightParts): TabSight {
  const others = new Map<string, NonNullable<Shown>>()
  let mine: Shown
  const send = (message: Message) => channel?.postMessage(message)
  const take = (message: Message) => {
    if (message.type === 'who') send({ type: 'shown', tab, shown: mine })
    else if (message.type === 'counts') onCounts(message.counts)
    else {
      if (message.shown) others.set(message.tab, message.shown)
      else others.delete(message.tab)
      onChange()
    }
  }
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<Message>) => take(data)
    send({ type: 'who' })
  }
  return {
    sight() {
      const all = [...others.values(), ...(mine ? [mine] : [])]
      return {
        sessions: new Set(all.flatMap(({ session }) => (session === undefined ? [] : [session]))),
        inbox: all.some(({ inbox }) => inbox),
      }
    },
    show(shown) {
      if (JSON.stringify(shown) === JSON.stringify(mine)) return
      mine = shown
      send({ type: 'shown', tab, shown })
      onChange()
    },
    sendCounts: (counts) => send({ type: 'counts', counts }),
    stop() {
      send({ type: 'shown', tab, shown: undefined })
      channel?.close()
    },
  }
}

/** What a page at this address shows. */
export function shownAt(path: string, isSeen: boolean): Shown {
  if (!isSeen) return undefined
  return { session: /^\/sessions\/([^/]+)$/.exec(path)?.[1], inbox: path === '/inbox' }
}
