import { describe, expect, it } from 'vitest'
import { InvalidOptionsError } from '../errors.ts'
import type { StartSessionOptions } from '../options.ts'
import { ClaudeCodeAgent } from './agent.ts'

describe('ClaudeCodeAgent refuses what cannot work, before anything is started', () => {
  it.each<[string, StartSessionOptions]>([
    ['neither a prompt nor keepAlive', {}],
    ['an empty prompt', { prompt: '' }],
    ['a prompt without blocks', { prompt: [], keepAlive: true }],
    ['two conversations to go on with', { prompt: 'x', continueLatest: true, resume: 'a' }],
    ['an id that is none', { prompt: 'x', sessionId: 'mine' }],
    ['a fork of nothing', { prompt: 'x', fork: true }],
  ])('%s', async (_, start) => {
    // A start that is not refused fails otherwise: there is no such CLI.
    const agent = new ClaudeCodeAgent({ cliPath: '/nowhere/claude', maxConcurrentSessions: 1 })
    await expect(agent.startSession(start)).rejects.toThrow(InvalidOptionsError)
    // And its place is free again.
    await expect(agent.startSession({ prompt: 'x' })).rejects.toMatchObject({ code: 'CLI_NOT_FOUND' })
  })

  it.each([0, -1, Number.NaN])('maxConcurrentSessions: %d', (maxConcurrentSessions) => {
    expect(() => new ClaudeCodeAgent({ maxConcurrentSessions })).toThrow(InvalidOptionsError)
  })

  it.each([-1, 0.5])('prewarm(%d)', async (count) => {
    await expect(new ClaudeCodeAgent().prewarm(count)).rejects.toThrow(InvalidOptionsError)
  })
})
