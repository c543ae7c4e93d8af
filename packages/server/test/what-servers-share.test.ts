/** What one of several servers allowed, took back or has ready, as the others see it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { cliProcesses, until } from './support/cli-processes.ts'
import { Conversation } from './support/conversation.ts'
import { type MarkedWorkspace, markedWorkspace, promptHooks } from './support/marked-workspace.ts'
import { type Answer, Prompts } from './support/prompts.ts'
import { startTwoServers, type TwoServers } from './support/two-servers.ts'

const prompts = new Prompts()
const opened: Conversation[] = []
let servers: TwoServers
let { a, b } = {} as TwoServers
beforeAll(async () => {
  servers = await startTwoServers(prompts.script, { DORKOS_SPARE_PROCESSES: '1' })
  ;({ a, b } = servers)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((conversation) => conversation.close()))
})
afterAll(() => servers?.close())

let runs = 0
const prompt = (...answers: Answer[]) => prompts.on(`across ${++runs}`, ...answers)

/** A session of this workspace that B runs, after its first turn. */
async function sessionOfB({ id }: MarkedWorkspace, ...answers: Answer[]): Promise<Conversation> {
  const session = await Conversation.open(b, { content: prompt(...answers), workspace_id: id })
  opened.push(session)
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  return session
}

const trustAt = ({ client }: typeof a, { id }: MarkedWorkspace) =>
  client.getWorkspaceTrust({ params: { id } })

it('a spare process of B is no session to A, until somebody begins one with it at B', async () => {
  await until(() => cliProcesses(b.root).length > 0)
  const [spare] = cliProcesses(b.root)
  const listed = async () => (await a.client.listSessions({ query: {} })).sessions.map(({ id }) => id)
  expect(await listed()).toEqual([])
  const params = { id: spare?.sessionId ?? '' }
  await expect(a.client.getSession({ params })).rejects.toMatchObject({ code: 'not_found' })
  const session = await Conversation.open(b, { content: prompt('begun') })
  opened.push(session)
  expect(session.id).toBe(params.id)
  await session.endOf(1)
  expect(cliProcesses(b.root)).toMatchObject([{ pid: spare?.pid }])
  expect(await listed()).toEqual([params.id])
  const atA = new Conversation(a, session.id)
  opened.push(atA)
  expect(await atA.say(prompt('went on'))).toMatchObject({ outcome: 'completed' })
  expect(cliProcesses(b.root)).toMatchObject([{ pid: spare?.pid }])
})

it('a workspace that was trusted at A, and a hook that was allowed there, count at B', async () => {
  const workspace = await markedWorkspace(
    a,
    {
      note: 'to be read',
      '.claude/settings.json': {
        hooks: {
          ...promptHooks('touch MARKS/prompt'),
          PreToolUse: [{ matcher: '', hooks: [{ type: 'command', command: 'touch MARKS/tool' }] }],
        },
      },
    },
    true,
  )
  const params = { id: workspace.id }
  const { hooks } = await b.client.listWorkspaceHooks({ params })
  const waits = hooks.find(({ state }) => state === 'waits')
  await a.client.allowWorkspaceHook({ params, body: { digest: waits?.digest ?? '', grant: 'run' } })
  await sessionOfB(workspace, toolUse('Read', { file_path: join(workspace.path, 'note') }), 'done')
  expect(readdirSync(workspace.marks).toSorted()).toEqual(['prompt', 'tool'])
  const seen = await Promise.all([a, b].map((server) => trustAt(server, workspace)))
  expect(seen).toMatchObject([{ state: 'trusted' }, { state: 'trusted' }])
  const { entries } = await a.client.listAudit({ query: { limit: 200 } })
  expect(entries.map(({ action }) => action)).not.toContain('workspace_trust_lost')
})

it('trust that is taken back at A ends what B runs by it: the next turn there goes by no settings of the workspace', async () => {
  const files = { note: 'to be read', '.claude/settings.json': { permissions: { deny: ['Read(./note)'] } } }
  const workspace = await markedWorkspace(a, files, true)
  const read = toolUse('Read', { file_path: join(workspace.path, 'note') })
  const session = await sessionOfB(workspace, read, 'denied')
  await a.client.takeWorkspaceTrust({ params: { id: workspace.id } })
  // Nobody says anything.
  await expect.poll(async () => (await session.session()).live).toBe(false)
  expect(await session.say(prompt(read, 'done'))).toMatchObject({ outcome: 'completed' })
  expect(session.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([true, false])
  const notices = session.watch.of('notice').map(({ code }) => code)
  expect(notices.filter((code) => code.startsWith('workspace_'))).toEqual(['workspace_untrusted'])
})
