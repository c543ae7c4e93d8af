/** How many nodes are in the document while one goes through a session of 5,000 messages? */
import { conversation, openLongSession } from './open-session.mjs'

const turns = 2500
const step = 8000

/** @type {import('../question.mjs').Question} */
export const longSession = {
  name: 'long session',
  rounds: 1,
  prepare: async () => ({ input: {}, dispose: async () => {} }),
  subjects: { ours },
  metrics: [
    { metric: 'client.nodes_in_5000_messages', unit: 'nodes', ours: 'ours.most', target: { most: 3000 } },
    { metric: 'client.open_5000_messages', unit: 'ms', ours: 'ours.open_ms' },
  ],
}

/** From the end to the beginning, by the wheel of a mouse; older pages come in meanwhile. */
async function ours() {
  const { page, show, close } = await openLongSession({ turns })
  const began = performance.now()
  await show()
  const openMs = performance.now() - began
  const box = await conversation(page).boundingBox()
  if (!box) throw new Error('the conversation is not to be seen')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  const beginning = conversation(page).getByText('Question 0 of', { exact: false })
  let most = 0
  while ((await beginning.count()) === 0) {
    await page.mouse.wheel(0, -step)
    most = Math.max(most, await nodesNow(page))
  }
  await close()
  return { most, open_ms: openMs }
}

/** After the next frame. @param {import('playwright-core').Page} page */
function nodesNow(page) {
  return page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    return document.querySelectorAll('*').length
  })
}
