import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SessionNotFoundError } from '../src/index.ts'
import { collect, textOf } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'

async function firstSession(run: OfflineAgent): Promise<string> {
  const session = await run.agent.startSession({ prompt: 'remember the word plum' })
  await session.waitForCompletion()
  return session.id
}

const lastConversation = (run: OfflineAgent) => JSON.stringify(run.model.requests.at(-1)?.messages)

describe('an earlier session', () => {
  it('goes on under its own id', async () => {
    await using run = await startOfflineAgent(['noted', 'plum'])
    const id = await firstSession(run)
    const session = await run.agent.resumeSession(id, { prompt: 'which word?' })
    expect(session.id).toBe(id)
    expect(textOf(await collect(session.messages()))).toBe('plum')
    expect(session.cliSessionIds).toEqual([id])
    expect(lastConversation(run)).toContain('remember the word plum')
  })

  it('is left as it is by a fork, which has an id of its own from the start', async () => {
    await using run = await startOfflineAgent(['noted', 'forked', 'original'])
    const id = await firstSession(run)
    const fork = await run.agent.startSession({ prompt: 'in the fork', resume: id, fork: true })
    expect(fork.id).not.toBe(id)
    await fork.waitForCompletion()
    expect(fork.cliSessionIds).toEqual([fork.id])
    const original = await run.agent.resumeSession(id, { prompt: 'in the original' })
    await original.waitForCompletion()
    expect(lastConversation(run)).toContain('plum')
    expect(lastConversation(run)).not.toContain('in the fork')
  })

  it('takes the id that it is given', async () => {
    await using run = await startOfflineAgent(['hi'])
    const sessionId = randomUUID()
    const session = await run.agent.startSession({ prompt: 'go', sessionId })
    await session.waitForCompletion()
    expect(session.id).toBe(sessionId)
    expect(run.model.requests[0]?.sessionId).toBe(sessionId)
  })

  it('continues the newest one of the directory', async () => {
    await using run = await startOfflineAgent(['noted', 'went on'])
    const id = await firstSession(run)
    const session = await run.agent.startSession({ prompt: 'go on', continueLatest: true })
    await session.waitForCompletion()
    expect(session.id).toBe(id)
    expect(lastConversation(run)).toContain('plum')
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
      await using run = await startOfflineAgent([])
      await expect(run.agent.startSession({ prompt: 'x', resume })).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
      await expect(run.agent.startSession({ prompt: 'x', sessionId: resume })).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
      })
    },
  )
})
