/**
 * The ten main tasks, as one does them on the page of today and as one did before it was made anew (`before`; a task without it was not
 * possible). Each begins at home, at rest, and ends when what one wanted is to be seen.
 */
import { conversation } from '../client/open-session.mjs'

/**
 * @typedef {object} Hands
 * @property {import('./counting-driver.mjs').CountingDriver} device The desktop, or the phone.
 * @property {import('./counting-driver.mjs').CountingDriver} [stranger] A phone that is not signed in.
 * @property {Awaited<ReturnType<typeof import('./world.mjs').openWorld>>} world
 * @property {any} words Of the page that is used.
 *
 * @typedef {(hands: Hands) => Promise<void>} Steps
 *
 * @typedef {object} Task
 * @property {string} name
 * @property {'desktop' | 'phone'} on
 * @property {boolean} [withStranger]
 * @property {Steps} now
 * @property {Steps} [before]
 */

/** @type {Task[]} */
export const tasks = [
  {
    name: 'find_a_session',
    on: 'desktop',
    now: openSought,
    before: openSought,
  },
  {
    name: 'start',
    on: 'desktop',
    async now(hands) {
      await hands.device.press(composer(hands))
      await say(hands, 'Say hello')
    },
    async before(hands) {
      await hands.device.press(link(hands, '/new'))
      await hands.device.untilField()
      await say(hands, 'Say hello')
    },
  },
  {
    name: 'approve_from_phone',
    on: 'phone',
    async now(hands) {
      const allow = main(hands).getByRole('article').locator('button[data-allows]')
      await hands.device.press(allow)
      await allow.waitFor({ state: 'detached' })
    },
    async before(hands) {
      await hands.device.press(main(hands).locator(`a[href^="/sessions/${hands.world.ids.waiting}"]`).first())
      const allow = conversation(hands.device.page).locator('button[data-allows]').first()
      await hands.device.press(allow)
      await allow.waitFor({ state: 'detached' })
    },
  },
  {
    name: 'see_what_changed',
    on: 'desktop',
    async now(hands) {
      await openSession(hands, hands.world.ids.changed)
      await hands.device.press(hands.device.page.locator('[data-panel-button]'))
      await hands.device.page.getByRole('tabpanel').getByText('changed.txt').first().waitFor()
    },
  },
  {
    name: 'retry',
    on: 'desktop',
    async now(hands) {
      hands.world.mend()
      await openSession(hands, hands.world.ids.failed)
      const said = conversation(hands.device.page)
      await hands.device.press(
        said.getByRole('button', { name: hands.words.conversation.retry, exact: true }).last(),
      )
      await said.getByText('It works.').waitFor()
    },
  },
  {
    name: 'stop',
    on: 'desktop',
    async now(hands) {
      const stop = button(hands, hands.words.shell.home.stopNamed('Running'))
      await hands.device.press(stop)
      await stop.waitFor({ state: 'detached' })
    },
    async before(hands) {
      await openSession(hands, hands.world.ids.running)
      const stop = hands.device.page.getByRole('button', {
        name: new RegExp(`^${hands.words.composer.stop}\\b`),
      })
      await hands.device.press(stop.first())
      await stop.first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'add_a_server',
    on: 'desktop',
    now: addServer,
    before: addServer,
  },
  {
    name: 'trust',
    on: 'desktop',
    async now(hands) {
      await hands.device.press(main(hands).locator('a[href^="/workspaces/"]'))
      await trust(hands)
    },
    async before(hands) {
      await hands.device.press(link(hands, '/workspaces'))
      await hands.device.press(main(hands).locator('a[href^="/workspaces/"]'))
      await trust(hands)
    },
  },
  {
    name: 'see_todays_cost',
    on: 'desktop',
    async now(hands) {
      await main(hands).locator('a[href="/costs"]').getByText(/\$/).waitFor()
    },
    async before(hands) {
      await hands.device.press(link(hands, '/costs'))
      await main(hands).getByText(/\$\d/).first().waitFor()
    },
  },
  {
    name: 'sign_in_a_phone',
    on: 'desktop',
    withStranger: true,
    async now(hands) {
      await hands.device.press(
        hands.device.page.getByRole('button', { name: new RegExp(hands.words.shell.userMenu) }),
      )
      await hands.device.press(hands.device.page.getByRole('menuitem', { name: hands.words.shell.addDevice }))
      await signIn(hands, await makeCode(hands))
    },
    async before(hands) {
      await hands.device.press(button(hands, hands.words.shell.more))
      await hands.device.press(link(hands, '/devices'))
      const code = await makeCode(hands)
      await hands.stranger?.press(hands.stranger.page.getByRole('textbox').first())
      await signIn(hands, code)
    },
  },
]

/** @param {Hands} hands */
async function openSought(hands) {
  const { id, title } = hands.world.sought
  await openSession(hands, id)
  await hands.device.page.getByRole('heading', { level: 1, name: title ?? '' }).waitFor()
}

/** From the sidebar. @param {Hands} hands @param {string} id */
async function openSession(hands, id) {
  await hands.device.press(link(hands, `/sessions/${id}`))
}

/** @param {Hands} hands @param {string} words */
async function say(hands, words) {
  await hands.device.type(words)
  await hands.device.key('Enter')
  await conversation(hands.device.page).getByText(words).first().waitFor()
}

/** @param {Hands} hands */
async function addServer(hands) {
  const { add } = hands.words.mcp
  await hands.device.press(link(hands, '/mcp'))
  await hands.device.press(button(hands, add.open))
  await hands.device.untilField()
  await hands.device.type('notes')
  // Past the kind, which is right as it is.
  await hands.device.key('Tab')
  await hands.device.key('Tab')
  await hands.device.type('notes-server')
  await hands.device.key('Enter')
  await hands.device.press(button(hands, add.done))
  await main(hands).locator('a[href^="/mcp/notes"]').first().waitFor()
}

/** @param {Hands} hands */
async function trust(hands) {
  const { actions } = hands.words.workspaces
  await hands.device.press(button(hands, actions.trust))
  await button(hands, actions.withdraw).waitFor()
}

/** @param {Hands} hands */
async function makeCode(hands) {
  await hands.device.press(button(hands, hands.words.devices.makeCode))
  const shown = hands.device.page.locator('code').filter({ hasText: /^[A-Z0-9]{5}-[A-Z0-9]{5}$/ })
  return (await shown.first().textContent()) ?? ''
}

/** What was shown is typed on the phone. @param {Hands} hands @param {string} code */
async function signIn({ stranger }, code) {
  if (!stranger) throw new Error('this task needs a phone')
  await stranger.type(code)
  await stranger.key('Enter')
  await stranger.page.waitForFunction(() => localStorage.getItem('dorkos.token') !== null)
}

/** @param {Hands} hands */
const main = ({ device }) => device.page.getByRole('main')

/** The first that leads there: the sidebar's, where it has one. @param {Hands} hands @param {string} path */
const link = ({ device }, path) => device.page.locator(`a[href="${path}"]`).first()

/** @param {Hands} hands @param {string} name */
const button = ({ device }, name) => device.page.getByRole('button', { name, exact: true }).first()

/** @param {Hands} hands */
const composer = ({ device, words }) => device.page.getByLabel(words.composer.label, { exact: true })
