/** The count in the title and the dot on the icon of this tab. */
import { text } from '../../text/card-text.ts'
import { resolvedColor } from '../../ui/resolved-color.ts'
import type { TabCounts } from './tab-sight.ts'

const badge = /^\(\d+\+?\) /

/** The title with the number that wait before it. */
export function badgedTitle(title: string, { waiting }: TabCounts): string {
  const plain = title.replace(badge, '')
  return waiting === 0 ? plain : text.approvals.alerts.titleBadge(waiting, plain)
}

export interface TabBadge {
  show(counts: TabCounts): void
  stop(): void
}

export function createTabBadge(): TabBadge {
  let counts: TabCounts = { waiting: 0, finished: 0 }
  let ofPage = document.title
  let shown = ofPage
  const setTitle = () => {
    // Only what somebody else has set is the page's own: a badge in other words is not to be badged again, without end.
    if (document.title !== shown) ofPage = document.title
    document.title = badgedTitle(ofPage, counts)
    shown = document.title
  }
  // Pages set the title when they open.
  const observer = new MutationObserver(() => document.title !== shown && setTitle())
  observer.observe(document.head, { subtree: true, childList: true, characterData: true })
  return {
    show(next) {
      if (next.waiting === counts.waiting && next.finished === counts.finished) return
      counts = next
      setTitle()
      void drawIcon(counts)
      setAppBadge(counts.waiting)
    },
    stop() {
      counts = { waiting: 0, finished: 0 }
      observer.disconnect()
      setTitle()
      void drawIcon(counts)
      setAppBadge(0)
    },
  }
}

function setAppBadge(count: number): void {
  const { setAppBadge: set, clearAppBadge: clear } = navigator
  const done = count > 0 ? set?.call(navigator, count) : clear?.call(navigator)
  done?.catch(() => undefined)
}

const plainIcon = '/favicon.svg'
const size = 64
let drawing = 0

/** A dot for "needs you" in the colour of attention, another for "finished". */
async function drawIcon({ waiting, finished }: TabCounts): Promise<void> {
  const turn = ++drawing
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  if (waiting + finished === 0) {
    link.href = plainIcon
    return
  }
  const icon = await loadImage(plainIcon).catch(() => undefined)
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  const context = canvas.getContext('2d')
  if (!context || turn !== drawing) return
  if (icon) context.drawImage(icon, 0, 0, size, size)
  context.beginPath()
  context.arc(size - 18, 18, 16, 0, 2 * Math.PI)
  context.fillStyle = resolvedColor(waiting > 0 ? '--attention-fill' : '--ok')
  context.fill()
  context.lineWidth = 4
  context.strokeStyle = resolvedColor('--card')
  context.stroke()
  link.href = canvas.toDataURL('image/png')
}

async function loadImage(address: string): Promise<HTMLImageElement> {
  const image = new Image(size, size)
  image.src = address
  await image.decode()
  return image
}
