import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { hang, type Offline, realCliPath, startOffline, text } from '@dorkos/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClaudeCodeAgent, FileStateStore } from '../src/index.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'state-store-'))
})
afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

/** A program of its own that starts a session, says its id, and is then killed. */
const program = `
  import { ClaudeCodeAgent, FileStateStore } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
  const agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: process.env.TEST_CLI,
    cwd: process.env.TEST_CWD,
    stateStore: new FileStateStore(process.env.TEST_STORE),
  })
  const session = await agent.startSession({ prompt: 'remember the word plum' })
  session.on('stateChange', ({ to }) => console.log(to))
  console.log(session.id)
`

async function startAndKill(offline: Offline): Promise<string> {
  const host: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...offline.env, TEST_CLI: realCliPath(), TEST_CWD: offline.cwd, TEST_STORE: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [id] = (await once(createInterface({ input: host.stdout as NodeJS.ReadableStream }), 'line')) as [
    string,
  ]
  await offline.model.waitForRequest(1)
  // Its state is written beside its work.
  const store = new FileStateStore(directory)
  await expect.poll(async () => (await store.list())[0]?.state).toBe('running')
  host.kill('SIGKILL')
  await once(host, 'exit')
  return id
}

const agentOf = (offline: Offline) =>
  new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    cwd: offline.cwd,
    env: offline.overlay,
    stateStore: new FileStateStore(directory),
  })

describe('after the program was killed', () => {
  it('recover() lists what was running, resumes it on request, and nothing unasked', async () => {
    await using offline = await startOffline([
      hang({ afterDeltas: 1, blocks: [text('partial')] }),
      'the word is plum',
    ])
    const id = await startAndKill(offline)
    await using agent = agentOf(offline)

    const found = await agent.recover()
    expect(found).toMatchObject([{ sessionId: id, state: 'running', cwd: offline.cwd }])
    expect(found[0]?.unfinishedMessages).toHaveLength(1)
    expect(offline.model.requests).toHaveLength(1)

    const session = await found[0]!.resume({ prompt: 'which word?' })
    await session.waitForCompletion()
    expect(session.id).toBe(id)
    expect(JSON.stringify(offline.model.requests.at(-1)?.messages)).toContain('plum')
    expect(await agent.recover()).toEqual([])
  })

  it('discard() forgets one', async () => {
    await using offline = await startOffline([hang()])
    await startAndKill(offline)
    await using agent = agentOf(offline)
    const [found] = await agent.recover()
    await found?.discard()
    expect(await agent.recover()).toEqual([])
  })
})

describe('the state of a session', () => {
  it('is saved as it changes, and is not recoverable while its program lives', async () => {
    await using offline = await startOffline(['one'])
    await using agent = agentOf(offline)
    const store = new FileStateStore(directory)
    const session = await agent.startSession({ prompt: 'go', keepAlive: true })
    await expect.poll(async () => (await store.list())[0]?.state).toBe('idle')
    expect(await agent.recover()).toEqual([])
    await session.close()
    expect((await store.list())[0]).toMatchObject({
      sessionId: session.id,
      state: 'completed',
      lastOutcome: 'completed',
    })
    expect((await stat(join(directory, `${session.id}.json`))).mode & 0o777).toBe(0o600)
  })

  it('is left out when its file cannot be read, and refuses ids that are no ids', async () => {
    const store = new FileStateStore(directory)
    await writeFile(join(directory, '11111111-1111-4111-8111-111111111111.json'), '{"sessionId":')
    await writeFile(join(directory, 'notes.json'), '{}')
    expect(await store.list()).toEqual([])
    await expect(store.delete('../../etc/passwd')).rejects.toThrow('not a session id')
    expect(await new FileStateStore(join(directory, 'missing')).list()).toEqual([])
  })

  it('does not stop the session when it cannot be saved', async () => {
    await using offline = await startOffline(['one'])
    const warnings: string[] = []
    const broken = {
      save: () => Promise.reject(new Error('disk full')),
      list: async () => [],
      delete: async () => {},
    }
    await using agent = new ClaudeCodeAgent({
      ...agentOf(offline).options,
      stateStore: broken,
      onWarning: (warning) => warnings.push(warning),
    })
    const session = await agent.startSession({ prompt: 'go' })
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
    expect(warnings.join()).toContain('disk full')
  })
})
