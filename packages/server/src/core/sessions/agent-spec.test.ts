import { describe, expect, it } from 'vitest'
import { noHooks } from '../../../test/support/no-hooks.ts'
import { time } from '../ports/fixtures.conformance.ts'
import type { SessionRecord } from '../ports/records.ts'
import { type AgentSpecParts, agentSpec } from './agent-spec.ts'

const record = (more: Partial<SessionRecord> = {}): SessionRecord => ({
  id: 'own',
  workspaceId: 'wsp_1',
  cwd: '/projects/app',
  title: undefined,
  firstPrompt: undefined,
  model: undefined,
  permissionMode: 'default',
  state: 'idle',
  cliSessionIds: [],
  archived: false,
  pinned: false,
  unattended: false,
  folderConfirmed: true,
  maxTurns: undefined,
  budgetUsd: undefined,
  outputSchema: undefined,
  demo: false,
  forkedFrom: undefined,
  resumeFrom: undefined,
  principal: 'owner',
  createdAt: time,
  updatedAt: time,
  ...more,
})

/** `onDisk`: the CLI sessions that have a transcript. */
function parts(onDisk: string[] = [], more: Partial<AgentSpecParts> = {}): AgentSpecParts {
  return {
    workspaceOf: async () => ({
      path: '/projects',
      settingSources: ['project', 'local'],
      nested: ['/projects/inner'],
      closed: { files: ['/projects/run.sh'], folders: [] },
    }),
    checkDirectory: async () => {},
    branchOf: async ({ branch }) => branch,
    environment: async ({ id }) => ({ TOKEN_OF: id }),
    settings: (given) => given,
    systemPromptAppend: ({ unattended }) => (unattended ? 'alone' : 'watched'),
    hasTranscript: async (id) => onDisk.includes(id),
    isTaken: async () => false,
    defaults: () => ({ model: 'standard', maxTurns: 100 }),
    ...more,
  }
}

const startOf = async (onDisk: string[], more: Partial<SessionRecord>) =>
  (await agentSpec(parts(onDisk), record(more), noHooks())).start

describe('how a session’s process begins', () => {
  it('anew where there is no transcript, whatever we remember', async () => {
    expect(await startOf([], {})).toEqual({ kind: 'new', cliSessionId: 'own' })
    expect(await startOf([], { cliSessionIds: ['own'] })).toEqual({ kind: 'new', cliSessionId: 'own' })
  })

  it('with the transcript that is there, also where a crash kept us from noting it', async () => {
    expect(await startOf(['own'], { cliSessionIds: ['own'] })).toEqual({
      kind: 'resume',
      cliSessionId: 'own',
    })
    expect(await startOf(['own'], { cliSessionIds: [] })).toEqual({ kind: 'resume', cliSessionId: 'own' })
  })

  it('with the newest of several, and with an older one where that was never written', async () => {
    const cliSessionIds = ['own', 'second', 'third']
    expect(await startOf(['own', 'second', 'third'], { cliSessionIds })).toMatchObject({
      cliSessionId: 'third',
    })
    expect(await startOf(['own', 'second'], { cliSessionIds })).toMatchObject({ cliSessionId: 'second' })
  })

  it('under another id where a file without a conversation blocks its own', async () => {
    const { start } = await agentSpec(parts([], { isTaken: async () => true }), record({}), noHooks())
    expect(start).toMatchObject({ kind: 'new', cliSessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  it('as a fork until it has a transcript of its own, and never again after', async () => {
    const resumeFrom = { sessionId: 'other', messageId: 'm1' }
    expect(await startOf(['other'], { resumeFrom })).toEqual({
      kind: 'fork',
      cliSessionId: 'own',
      from: 'other',
      messageId: 'm1',
    })
    expect(await startOf(['other'], { resumeFrom: { sessionId: 'other' } })).toEqual({
      kind: 'fork',
      cliSessionId: 'own',
      from: 'other',
    })
    expect(await startOf(['other', 'own'], { resumeFrom, cliSessionIds: ['own'] })).toEqual({
      kind: 'resume',
      cliSessionId: 'own',
    })
  })
})

describe('what a session’s process is started with', () => {
  it('is the record’s, else the configuration’s', async () => {
    const own = await agentSpec(parts(), record({ model: 'mine', maxTurns: 3, title: 'T' }), noHooks())
    expect(own).toMatchObject({
      model: 'mine',
      maxTurns: 3,
      title: 'T',
      sessionId: 'own',
      cwd: '/projects/app',
    })
    expect(await agentSpec(parts(), record(), noHooks())).toMatchObject({ model: 'standard', maxTurns: 100 })
  })

  it('is an environment and a prompt of its own', async () => {
    const spec = await agentSpec(parts(), record({ unattended: true }), noHooks())
    expect(spec).toMatchObject({ env: { TOKEN_OF: 'own' }, systemPromptAppend: 'alone' })
    expect(spec.disallowedTools).toContain('SendMessage')
  })

  it('is nothing where the directory is not what it was', async () => {
    const moved = { checkDirectory: () => Promise.reject(new Error('it leads elsewhere')) }
    await expect(agentSpec(parts([], moved), record(), noHooks())).rejects.toThrow('it leads elsewhere')
  })

  it('is what the workspace may bring', async () => {
    const trusted = await agentSpec(parts(), record(), noHooks())
    expect(trusted.settingSources).toEqual(['project', 'local'])
    const nested = ['/projects/inner']
    expect(trusted.settings).toEqual({
      cwd: '/projects/app',
      workspacePath: '/projects',
      nested,
      closed: { files: ['/projects/run.sh'], folders: [] },
      unloadedPlugins: [],
    })
    const none = {
      workspaceOf: async () => ({
        path: undefined,
        settingSources: [],
        nested: [],
        closed: { files: [], folders: [] },
      }),
    }
    const untrusted = await agentSpec(parts([], none), record(), noHooks())
    expect(untrusted.settingSources).toEqual([])
    expect(untrusted.settings).toEqual({
      cwd: '/projects/app',
      workspacePath: undefined,
      nested: [],
      closed: { files: [], folders: [] },
      unloadedPlugins: [],
    })
  })
})
