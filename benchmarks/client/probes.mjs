/** Functions that run in a page. They know nothing of this file. */

/**
 * Takes the time at which each text is painted: what is in the document when a frame is over. `toWallMs` leads from the clock of the
 * texts to that of the page.
 *
 * @param {{ toWallMs: number }} options
 */
export function watchPaint({ toWallMs }) {
  const root = document.querySelector('section[tabindex], main') ?? document.body
  /** @type {number[]} */
  const ages = []
  let newest = 0
  let isWaiting = false
  const painted = () => {
    isWaiting = false
    const now = performance.timeOrigin + performance.now()
    for (const [, digits] of (root.textContent ?? '').slice(-6000).matchAll(/(\d{10,});/g)) {
      const written = Number(digits)
      if (written <= newest) continue
      newest = written
      ages.push(now - (written / 1e6 + toWallMs))
    }
  }
  const channel = new MessageChannel()
  channel.port1.onmessage = painted
  new MutationObserver(() => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => channel.port2.postMessage(0))
  }).observe(root, { subtree: true, childList: true, characterData: true })
  Object.assign(window, { paintAges: ages })
}

/** Counts frames, as far as the page has time for them. */
export function countFrames() {
  const frames = { count: 0 }
  const next = () => {
    frames.count++
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
  Object.assign(window, { drawnFrames: frames })
}

/** From a key to the frame that shows it. */
export function watchKeys() {
  /** @type {number[]} */
  const delays = []
  let pressed = 0
  addEventListener(
    'keydown',
    (event) => {
      pressed = event.timeStamp
    },
    true,
  )
  const channel = new MessageChannel()
  channel.port1.onmessage = ({ data }) => delays.push(performance.now() - data)
  addEventListener(
    'input',
    () => {
      const from = pressed
      requestAnimationFrame(() => channel.port2.postMessage(from))
    },
    true,
  )
  Object.assign(window, { keyDelays: delays })
}
