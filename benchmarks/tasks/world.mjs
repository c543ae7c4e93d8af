/** A server with a day's work in it, and browsers that are signed in to it: what the ten tasks are done with. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../client/open-session.mjs'
import { startHere } from '../server/server-here.mjs'
import { rest } from '../server/statistics.mjs'

const desktop = { viewport: { width: 1280, height: 820 }, locale: 'en-US', reducedMotion: 'reduce' }
const phone = { ...desktop, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** The title of the session that somebody looks for is behind so many others. */
export const soughtIndex = 11
const quietSessions = 20
/** What a page may still fetch for later. */
const restMs = 1000

/** @param {{ tree: string }} options The checkout whose server and page are used. */
export async function openWorld({ tree }) {
  const { apiError, startScriptedModel, toolUse } = await import('@dorkos/scripted-model')
  const root = await realpath(await mkdtemp(join(tmpdir(), 'benchmark-tasks-')))
  const cwd = join(root, 'workspace')
  await mkdir(cwd, { recursive: true })
  // Something to be trusted with.
  await writeFile(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { files: { command: 'true' } } }))
  let isMended = false
  const model = await startScriptedModel(({ lastUserText, toolResults }) => {
    if (toolResults.length > 0) return 'Done.'
    if (lastUserText.includes('Wait')) return new Promise(() => {})
    if (lastUserText.includes('Ask'))
      return toolUse('Bash', { command: 'touch a', description: 'Make a file' })
    if (lastUserText.includes('Change'))
      return toolUse('Write', { file_path: join(cwd, 'changed.txt'), content: 'new\n' })
    if (!lastUserText.includes('Fail')) return 'Hello.'
    return isMended ? 'It works.' : apiError(400, 'It does not work.')
  })
  const here = await startHere({ root, modelUrl: model.url, tree })
  const { client, server } = here
  for (let n = 1; n <= quietSessions; n++) await client.createSession({ body: { title: `Session ${n}` } })
  /** @param {string} title @param {string} content @param {string} state @param {object} [more] */
  const start = async (title, content, state, more) => {
    const { session } = await client.createSession({ body: { title, content, ...more } })
    const params = { id: session.id }
    const isThere = async () => {
      const { turns } = await client.listTurns({ params })
      if (state === 'ended') return turns.some(({ ended_at }) => ended_at !== undefined)
      return (await client.getSession({ params })).state === state
    }
    while (!(await isThere())) await rest(50)
    return session.id
  }
  const ids = {
    changed: await start('Changed', 'Change a file', 'ended', { permission_mode: 'acceptEdits' }),
    failed: await start('Failed', 'Fail once', 'ended'),
    waiting: await start('Waiting', 'Ask me', 'waiting'),
    running: await start('Running', 'Wait for ever', 'working'),
  }
  const { sessions } = await client.listSessions({ query: { limit: soughtIndex + 1 } })
  const sought = sessions.at(-1)
  if (!sought) throw new Error('there are too few sessions')
  const browser = await openBrowser()
  return {
    ids,
    sought,
    /** From here on what failed works. */
    mend() {
      isMended = true
    },
    /** At home, at rest. @param {'desktop' | 'phone'} device */
    async openHome(device) {
      const page = await newPage(browser, device)
      await page.goto(await server.signInLink())
      await page.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
      await page.goto(`${server.url}/`)
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      if (device === 'desktop') await page.locator('[data-row]').first().waitFor()
      await rest(restMs)
      return page
    },
    /** Where nobody has signed in. */
    async openStranger() {
      const page = await newPage(browser, 'phone')
      await page.goto(`${server.url}/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    },
    async close() {
      await browser.close()
      await here.close()
      await model.close()
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** @param {import('playwright-core').Browser} browser @param {'desktop' | 'phone'} device */
async function newPage(browser, device) {
  const options = /** @type {import('playwright-core').BrowserContextOptions} */ (
    device === 'phone' ? phone : desktop
  )
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(20_000)
  return page
}
