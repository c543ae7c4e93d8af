// A server with something to look at: workspaces, sessions in every state, MCP servers that work and that do not, costs of two weeks.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startScriptedModel } from '@dorkos/scripted-model'
import { startServer } from '@dorkos/server'
import { createApiClient, scopes } from '@dorkos/shared'
import { startAuthServer } from '@dorkos/testkit'
import { shotsModel } from './model.mjs'
import { startNetwork } from './network.mjs'

const require = createRequire(new URL('../../packages/mcp-gateway/package.json', import.meta.url))
const day = 24 * 3_600_000

/** @returns the server, a client with every scope, the ids of the sessions by name, and what ends it all */
export async function startSeeded({ pageFolder } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-shots-')))
  const home = join(root, '.dorkos')
  const shop = join(root, 'projects', 'shop')
  const notes = join(root, 'projects', 'notes')
  mkdirSync(home, { mode: 0o700 })
  writeShop(shop)
  writeNotes(notes)
  const network = await startNetwork()
  const guarded = await startAuthServer()
  writeFileSync(join(home, 'config.jsonc'), JSON.stringify(config(network.origin), null, 2), { mode: 0o600 })
  const model = await startScriptedModel(shotsModel(shop))
  const shift = { ms: 0 }
  const server = await startServer({
    env: {
      PATH: process.env.PATH,
      HOME: root,
      DORKOS_HOME: home,
      TMPDIR: root,
      IS_SANDBOX: '1',
      DORKOS_SPARE_PROCESSES: '0',
      ANTHROPIC_API_KEY: 'sk-test-not-a-real-key',
      DORKOS_ANTHROPIC_BASE_URL: model.url,
    },
    flags: { '--port': '0' },
    cwd: shop,
    clock: shiftedClock(shift),
    ...(pageFolder && { pageFolder }),
  })
  const own = createApiClient({ baseUrl: server.url, token: await server.ownToken() })
  const { secret } = await own.createToken({ body: { name: 'Ada’s laptop', scopes } })
  const client = createApiClient({ baseUrl: server.url, token: secret })
  network.leadTo(server.url)
  const close = async () => {
    await network.close()
    await guarded.close()
    await server.close({ graceMs: 0 })
    await model.close()
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    const ids = await seed(client, { notes, shift })
    return {
      ...{ server, network, client, ids, shop, close },
      calendar: calendar(client, guarded.mcpUrl),
      hooks: ownHooks(join(root, '.claude', 'settings.json')),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Hooks of the owner's own settings. They are there while they are looked at: every conversation would tell of them. */
function ownHooks(file) {
  const command = (text, matcher) => ({ matcher, hooks: [{ type: 'command', command: text }] })
  const hooks = {
    PreToolUse: [command('python3 ~/.claude/hooks/no-production.py', 'Bash')],
    PostToolUse: [command('npx prettier --write "$CLAUDE_PROJECT_DIR"', 'Edit|Write')],
    Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is everything done that was asked for?' }] }],
  }
  return {
    add() {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify({ hooks }))
    },
    remove: () => writeFileSync(file, '{}'),
  }
}

/** An MCP server that wants a sign-in. It is there while it is looked at: every conversation would show it. */
function calendar(client, url) {
  const params = { name: 'calendar' }
  return {
    async add() {
      await client.addMcpServers({ body: { ...params, entry: { type: 'http', url } } })
      await client.testMcpServer({ params, body: {} })
    },
    remove: () => client.removeMcpServer({ params }),
  }
}

async function seed(client, { notes, shift }) {
  const { workspaces } = await client.listWorkspaces()
  const main = workspaces.find((workspace) => workspace.main)
  await trust(client, main.id)
  const other = await client.createWorkspace({ body: { path: notes, name: 'notes' } })
  await spendTwoWeeks(client, main.id, other.id, shift)
  const ids = { main: main.id, other: other.id }
  const start = async (name, content, more = {}) => {
    const { session } = await client.createSession({ body: { content, ...more } })
    ids[name] = session.id
    return session.id
  }
  // Nobody answers this one: a minute later it has expired.
  await client.changeConfig({ body: { set: { 'approvals.deadlineMinutes': 1 } } })
  await start('expired', 'Please publish the package', { title: 'Publish 1.3.1' })
  await untilState(client, ids.expired, ['waiting'])
  await client.changeConfig({ body: { set: { 'approvals.deadlineMinutes': 240 } } })
  await settle(
    client,
    await start('found', 'Why do customers get charged twice?', { title: 'Double charges' }),
  )
  await settle(
    client,
    await start('mended', 'Make unknown paths answer 404', {
      permission_mode: 'acceptEdits',
      title: 'Unknown paths',
    }),
  )
  await stumble(client, await start('stumbled', 'Delete the old builds', { title: 'Old builds' }))
  await settle(client, await start('delegated', 'Check the whole shop', { title: 'Review of the shop' }))
  const unasked = { permission_mode: 'bypassPermissions', title: 'Dev server' }
  await untilState(client, await start('serving', 'Start the dev server', unasked), ['idle'])
  await allowOne(client, await start('form', 'Ask for the address', { title: 'Address of the customer' }))
  await start('question', 'Move the catalogue to a database', { title: 'Catalogue storage' })
  await start('plan', 'Make a plan for the catalogue', { permission_mode: 'plan', title: 'Plan: catalogue' })
  await start('approval', 'Prepare the release', { title: 'Release 1.4' })
  for (const name of ['form', 'question', 'plan', 'approval'])
    await untilState(client, ids[name], ['waiting'])
  await untilState(client, ids.expired, ['idle'])
  return ids
}

async function allowOne(client, id) {
  const approval = await approvalOf(client, id)
  await client.answerApproval({ params: { id: approval.id }, body: { decision: 'allow' } })
}

/** A session says that it waits a moment before its approval is listed. */
async function approvalOf(client, id) {
  for (let tries = 0; tries < 480; tries++) {
    const { approvals } = await client.listApprovals({ query: { session_id: id, state: 'pending' } })
    if (approvals[0]) return approvals[0]
    await new Promise((resolve) => setTimeout(resolve, 125))
  }
  throw new Error('a session of the screenshots asked nothing')
}

/** One call denied with a message, one that fails, and a turn that is stopped. */
async function stumble(client, id) {
  const approval = await approvalOf(client, id)
  const message = 'Keep build: it is on the stick for the fair.'
  await client.answerApproval({ params: { id: approval.id }, body: { decision: 'deny', message } })
  await settle(client, id)
  await client.sendMessage({
    params: { id },
    body: { content: 'Explain slowly why customers are charged again' },
  })
  await untilState(client, id, ['working'])
  await new Promise((resolve) => setTimeout(resolve, 2500))
  await client.interruptSession({ params: { id }, body: {} })
  await untilState(client, id, ['idle', 'interrupted'])
}

async function trust(client, id) {
  const { digest } = await client.getWorkspaceTrust({ params: { id } })
  await client.giveWorkspaceTrust({ params: { id }, body: { digest } })
}

/** A few turns on each of fourteen days, in three sessions. */
async function spendTwoWeeks(client, main, other, shift) {
  const bodies = [
    { workspace_id: main, title: 'Search index', model: 'sonnet' },
    { workspace_id: main, title: 'Invoices as PDF', model: 'opus' },
    { workspace_id: other, title: 'Weekly notes', model: 'haiku' },
  ]
  const sessions = []
  for (const body of bodies) sessions.push((await client.createSession({ body })).session.id)
  for (let back = 13; back >= 1; back--) {
    shift.ms = -back * day
    for (const [index, id] of sessions.entries()) {
      if ((back * 7 + index * 5) % 4 === 0) continue
      await client.sendMessage({ params: { id }, body: { content: `Go on with part ${14 - back}` } })
      await settle(client, id)
    }
  }
  shift.ms = 0
  for (const id of sessions) await client.stopSession({ params: { id }, body: {} })
}

/** Allows whatever is asked until the session is idle. */
async function settle(client, id) {
  for (let tries = 0; tries < 240; tries++) {
    const { approvals } = await client.listApprovals({ query: { session_id: id } })
    for (const approval of approvals) {
      await client
        .answerApproval({ params: { id: approval.id }, body: { decision: 'allow' } })
        .catch(() => undefined)
    }
    const { turns } = await client.listTurns({ params: { id } })
    if (turns.every((turn) => turn.state === 'ended')) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('a session of the screenshots did not come to rest')
}

async function untilState(client, id, states) {
  for (let tries = 0; tries < 480; tries++) {
    const session = await client.getSession({ params: { id } })
    if (states.includes(session.state) && session.queued_messages === 0) return
    await new Promise((resolve) => setTimeout(resolve, 125))
  }
  throw new Error(`a session of the screenshots never was ${states.join(' or ')}`)
}

/** The machine's clock, moved: so that the ledger has days. */
function shiftedClock(shift) {
  return {
    now: () => Date.now() + shift.ms,
    monotonic: () => performance.now(),
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs)
      timer.unref()
      return () => clearTimeout(timer)
    },
  }
}

function config(origin) {
  return {
    publicOrigins: [origin],
    budgets: { dayUsd: 5 },
    sessions: { maxLive: 12 },
    mcpServers: {
      memory: { command: process.execPath, args: [packageFile('@modelcontextprotocol/server-memory')] },
      'issue-tracker': { type: 'http', url: 'http://127.0.0.1:9/mcp' },
    },
  }
}

function packageFile(name) {
  return join(require.resolve(`${name}/package.json`), '..', 'dist', 'index.js')
}

function writeShop(folder) {
  mkdirSync(join(folder, 'src'), { recursive: true })
  mkdirSync(join(folder, 'test'))
  const write = (name, content) => writeFileSync(join(folder, name), content)
  write(
    'package.json',
    '{ "name": "shop", "version": "1.3.0", "scripts": { "test": "node --test test/" } }\n',
  )
  write('README.md', '# Shop\n\nA small shop: products, orders, invoices.\n')
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.3.0\n\n- Invoices as PDF.\n')
  write(
    'src/server.ts',
    "import { createServer } from 'node:http'\n\nexport function start(port: number) {\n  return createServer((request, response) => {\n    response.end('hello')\n  }).listen(port)\n}\n",
  )
  write(
    'src/orders.ts',
    'export async function createOrder(request: OrderRequest): Promise<Order> {\n  return orders.create(request)\n}\n',
  )
  write('test/orders.test.mjs', "import test from 'node:test'\n\ntest('an order is made once', () => {})\n")
  write(
    '.mcp.json',
    JSON.stringify(
      {
        mcpServers: {
          everything: {
            command: process.execPath,
            args: [packageFile('@modelcontextprotocol/server-everything')],
          },
          memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
        },
      },
      null,
      2,
    ),
  )
  const git = (...args) => spawnSync('git', args, { cwd: folder })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.org')
}

function writeNotes(folder) {
  mkdirSync(join(folder, '.claude'), { recursive: true })
  writeFileSync(join(folder, 'ideas.md'), '# Ideas\n')
  const hook = { matcher: 'Edit', hooks: [{ type: 'command', command: './scripts/format.sh' }] }
  writeFileSync(
    join(folder, '.claude/settings.json'),
    JSON.stringify({ hooks: { PostToolUse: [hook] } }, null, 2),
  )
  writeFileSync(
    join(folder, '.mcp.json'),
    JSON.stringify({ mcpServers: { wiki: { command: 'uvx', args: ['wiki-mcp', '--root', '.'] } } }, null, 2),
  )
}
