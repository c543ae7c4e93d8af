// Every screen, and what is done to it before its picture is taken.

/**
 * @typedef {object} Screen
 * @property {string} name
 * @property {string} path
 * @property {number} [waitMs] How long the page gets to come to rest.
 * @property {'desktop' | 'phone'} [only] Where the other size has no such thing.
 * @property {(page: import('playwright-core').Page) => Promise<void>} [prepare]
 * @property {() => Promise<unknown>} [after] Undoes what `prepare` did to the server.
 */

/** @param {Awaited<ReturnType<typeof import('./seed.mjs').startSeeded>>} seeded @returns {Screen[]} */
export function screens(seeded) {
  return [...pages(seeded), ...inConversations(seeded), ...overPages(seeded)]
}

const session = ({ ids }, name) => `/sessions/${ids[name]}`

/** With an MCP server that wants a sign-in; `then` goes on from there. */
function wantingSignIn({ calendar }, then = async () => {}) {
  return {
    async prepare(page) {
      await calendar.add()
      await named(page, 'Sign in').waitFor({ timeout: 10_000 })
      await then(page)
      await page.waitForTimeout(600)
    },
    after: calendar.remove,
  }
}

async function signInToCalendar(page) {
  await page.getByRole('link', { name: 'calendar' }).click()
  await page.getByRole('heading', { level: 1, name: 'calendar' }).waitFor()
  await press('Sign in')(page)
}

function pages(seeded) {
  return [
    { name: 'home', path: '/' },
    { name: 'new-session', path: '/new' },
    { name: 'conversation', path: session(seeded, 'found'), waitMs: 3500 },
    { name: 'tool-cards', path: session(seeded, 'mended'), waitMs: 2000 },
    { name: 'approval', path: session(seeded, 'approval'), waitMs: 1500 },
    { name: 'question', path: session(seeded, 'question') },
    { name: 'plan', path: session(seeded, 'plan') },
    { name: 'form', path: session(seeded, 'form') },
    { name: 'inbox', path: '/inbox' },
    { name: 'rules', path: '/rules' },
    { name: 'mcp', path: '/mcp', waitMs: 2500 },
    { name: 'mcp-server', path: '/mcp/everything', waitMs: 2500 },
    { name: 'mcp-failed', path: '/mcp/issue-tracker', waitMs: 2000 },
    { name: 'mcp-sign-in', path: '/mcp', waitMs: 2500, ...wantingSignIn(seeded, signInToCalendar) },
    { name: 'tools', path: '/tools' },
    { name: 'workspaces', path: '/workspaces' },
    { name: 'workspace-trust', path: `/workspaces/${seeded.ids.other}` },
    { name: 'workspace-hooks', path: `/workspaces/${seeded.ids.main}#hooks`, ...withHooks(seeded) },
    { name: 'costs', path: '/costs', waitMs: 2000 },
    { name: 'audit', path: '/audit' },
    { name: 'devices', path: '/devices' },
    { name: 'settings', path: '/settings' },
    { name: 'system', path: '/system' },
    { name: 'not-found', path: '/nowhere' },
  ]
}

function withHooks({ hooks }) {
  return {
    async prepare(page) {
      hooks.add()
      await page.reload()
      await page.getByText('Allow it to deny calls').waitFor()
    },
    after: () => hooks.remove(),
  }
}

/** States of a conversation, and what its parts unfold to. */
function inConversations(seeded) {
  const { client, ids } = seeded
  const type = (words) => async (page) => {
    const box = page.getByLabel('Message to the agent', { exact: true })
    await box.fill('')
    await box.pressSequentially(words)
    await page.waitForTimeout(2500)
  }
  const params = { id: ids.found }
  return [
    {
      name: 'denied-failed-stopped',
      path: session(seeded, 'stumbled'),
      prepare: unfold(/Delete the old|tar/),
    },
    { name: 'expired', path: session(seeded, 'expired') },
    { name: 'subagent-todos', path: session(seeded, 'delegated'), prepare: unfold(/^Asked a subagent/) },
    { name: 'diff', path: session(seeded, 'mended'), waitMs: 2000, prepare: unfold(/server\.ts/) },
    {
      name: 'changes',
      path: `${session(seeded, 'mended')}?panel=changes`,
      waitMs: 2500,
      async prepare(page) {
        await page
          .getByRole('tabpanel')
          .getByRole('button', { name: /server\.ts/ })
          .click()
        await press('Commit')(page)
        await page.waitForTimeout(1500)
      },
    },
    { name: 'approval-edit', path: session(seeded, 'approval'), prepare: fromCard('Edit…') },
    {
      name: 'approval-deny',
      path: session(seeded, 'approval'),
      prepare: fromCard(/Deny with message/, 'More ways to deny'),
    },
    { name: 'approval-always', path: session(seeded, 'approval'), prepare: fromCard('Always…') },
    { name: 'commands', path: session(seeded, 'found'), prepare: type('/') },
    { name: 'mention', path: session(seeded, 'found'), prepare: type('Look at @ord') },
    { name: 'permission-mode', path: session(seeded, 'found'), prepare: press(/^Permission mode/) },
    {
      name: 'context',
      only: 'desktop',
      path: session(seeded, 'found'),
      prepare: press(/of the context used/),
    },
    {
      name: 'session-mcp',
      only: 'desktop',
      path: session(seeded, 'found'),
      waitMs: 2000,
      prepare: press(/^MCP servers:/),
    },
    { name: 'panel-files', path: `${session(seeded, 'found')}?panel=files`, prepare: folder('src') },
    {
      name: 'panel-file',
      path: `${session(seeded, 'found')}?panel=files`,
      prepare: folder('src', 'orders.ts'),
    },
    { name: 'panel-commands', path: `${session(seeded, 'serving')}?panel=commands`, waitMs: 3000 },
    { name: 'background', path: session(seeded, 'serving'), prepare: unfold(/^Ran/) },
    { name: 'session-sign-in', path: session(seeded, 'found'), ...wantingSignIn(seeded) },
    { name: 'session-menu', path: session(seeded, 'found'), prepare: press('Session menu') },
    { name: 'session-details', path: session(seeded, 'found'), prepare: press('Session details') },
    {
      name: 'working-with-queue',
      path: session(seeded, 'found'),
      async prepare(page) {
        const words = [
          'Explain slowly what the customer sees',
          'Then write the migration',
          'And a test for it',
        ]
        await page.getByLabel('Message to the agent', { exact: true }).fill('')
        for (const content of words) await client.sendMessage({ params, body: { content } })
        await page.waitForTimeout(4000)
      },
      after: () => client.interruptSession({ params, body: { cancel_queued: true } }),
    },
  ]
}

/** What lies over a page. */
function overPages(seeded) {
  const keys = (name) => (page) => page.keyboard.press(name)
  return [
    { name: 'palette', path: '/', only: 'desktop', prepare: keys('Control+k') },
    { name: 'shortcuts', path: '/', only: 'desktop', prepare: keys('?') },
    { name: 'sidebar', path: '/', only: 'phone', prepare: press('Open menu') },
    { name: 'search', path: '/', only: 'desktop', prepare: search('charge') },
    { name: 'inbox-decided', path: '/inbox', prepare: tab('Decided') },
    { name: 'mcp-add', path: '/mcp', waitMs: 2000, prepare: press(/^Add server/) },
    { name: 'mcp-source', path: '/mcp', waitMs: 2000, prepare: press(/^Show the entry in .*\.mcp\.json/) },
    { name: 'mcp-try', path: '/mcp/everything', waitMs: 2500, prepare: pressThen(/get-sum/, 'Try it') },
    { name: 'workspace-add', path: '/workspaces', prepare: press(/^Add workspace/) },
    { name: 'device-code', path: '/devices', prepare: pressThen('Add device', /code/i) },
    { name: 'costs-table', path: '/costs', waitMs: 2000, prepare: scrolled },
    { name: 'delete-session', path: session(seeded, 'found'), prepare: pressThen('Session menu', /^Delete/) },
    {
      name: 'reconnecting',
      path: session(seeded, 'found'),
      async prepare(page) {
        await seeded.network.goAway()
        await page.waitForTimeout(4000)
      },
      after: seeded.network.comeBack,
    },
  ]
}

function named(page, name) {
  const wanted = { name, ...(typeof name === 'string' && { exact: true }) }
  const found = page
    .getByRole('button', wanted)
    .or(page.getByRole('menuitem', wanted))
    .or(page.getByTitle(name))
  return found.filter({ visible: true }).first()
}

function press(name) {
  return (page) => named(page, name).click({ timeout: 5000 })
}

function pressThen(first, second) {
  return async (page) => {
    await press(first)(page)
    await press(second)(page)
  }
}

/** Opens what is named in the tree of files, one after the other. */
function folder(...names) {
  return async (page) => {
    for (const name of names) await page.getByRole('treeitem', { name, exact: true }).click({ timeout: 5000 })
  }
}

/** On a phone, and for what is rare, an answer is in a menu of the card. */
function fromCard(name, menu = 'More') {
  return async (page) => {
    const onPhone = named(page, 'More')
    if (await onPhone.isVisible()) await onPhone.click()
    else if (menu !== 'More') await press(menu)(page)
    await press(name)(page)
  }
}

/** Opens every card whose line matches. */
function unfold(name) {
  return async (page) => {
    for (const card of await page.getByRole('button', { name, expanded: false }).all()) await card.click()
    await page.waitForTimeout(600)
  }
}

function tab(name) {
  return (page) =>
    page.getByRole('tab', { name }).or(page.getByRole('radio', { name })).first().click({ timeout: 5000 })
}

function search(words) {
  return (page) => page.getByRole('searchbox').or(page.getByLabel('Search sessions')).first().fill(words)
}

async function scrolled(page) {
  await page.getByRole('table').first().scrollIntoViewIfNeeded({ timeout: 5000 })
}
