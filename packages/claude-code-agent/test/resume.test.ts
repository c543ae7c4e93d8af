import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ClaudeCodeAgent, SessionNotFoundError } from '../src/index.ts'
import { collect, textOf } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'

const lastConversation = (run: OfflineAgent) => JSON.stringify(run.model.requests.at(-1)?.messages)

describe('an earlier session', () => {
  it('goes on under the id that it was given, is left as it is by a fork, and continues as the newest', {
    timeout: 120_000,
  }, async () => {
    await using run = await startOfflineAgent(['noted', 'plum', 'forked', 'original', 'went on'])
    const id = randomUUID()
    const first = await run.agent.startSession({ prompt: 'remember the word plum', sessionId: id })
    await first.waitForCompletion()
    expect(first.id).toBe(id)
    expect(run.model.requests[0]?.sessionId).toBe(id)

    const session = await run.agent.resumeSession(id, { prompt: 'which word?' })
    expect(session.id).toBe(id)
    expect(textOf(await collect(session.messages()))).toBe('plum')
    expect(session.cliSessionIds).toEqual([id])
    expect(lastConversation(run)).toContain('remember the word plum')

    const fork = await run.agent.startSession({ prompt: 'in the fork', resume: id, fork: true })
    expect(fork.id, 'has an id of its own from the start').not.toBe(id)
    await fork.waitForCompletion()
    expect(fork.cliSessionIds).toEqual([fork.id])
    const original = await run.agent.resumeSession(id, { prompt: 'in the original' })
    await original.waitForCompletion()
    expect(lastConversation(run)).toContain('plum')
    expect(lastConversation(run)).not.toContain('in the fork')

    const latest = await run.agent.startSession({ prompt: 'go on', continueLatest: true })
    await latest.waitForCompletion()
    expect(latest.id).toBe(id)
    expect(lastConversation(run)).toContain('in the original')
  })

  it('gives a typed error when there is none of that id, and leaves no process', async () => {
    await using run = await startOfflineAgent(['never'])
    const id = randomUUID()
    const error = await run.agent.resumeSession(id, { prompt: 'x' }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SessionNotFoundError)
    expect(error).toMatchObject({ code: 'SESSION_NOT_FOUND', sessionId: id })
    await expect(run.agent.startSession({ prompt: 'x', continueLatest: true })).rejects.toBeInstanceOf(
      SessionNotFoundError,
    )
    expect(run.model.requests).toHaveLength(0)
  })

  it.each(['not-a-uuid', '--help', '../../etc'])(
    'refuses %s as an id before anything is started',
    async (resume) => {
      await using agent = new ClaudeCodeAgent({ cliPath: '/nothing/may/be/started' })
      await expect(agent.startSession({ prompt: 'x', resume })).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
      await expect(agent.startSession({ prompt: 'x', sessionId: resume })).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
    },
  )
})
