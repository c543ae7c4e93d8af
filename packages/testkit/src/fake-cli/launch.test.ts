import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readLaunch } from './launch.ts'

describe('readLaunch', () => {
  it('reads flags in both forms', () => {
    expect(readLaunch(['--session-id=a', '--model', 'm', '--permission-mode=plan'], {})).toMatchObject({
      sessionId: 'a',
      model: 'm',
      permissionMode: 'plan',
      partialMessages: false,
      bypassAllowed: false,
    })
  })

  it('takes a new session id unless it resumes without forking', () => {
    expect(readLaunch(['--resume=old'], {}).sessionId).toBe('old')
    const forked = readLaunch(['--resume', 'old', '--fork-session'], {}).sessionId
    expect(forked).toMatch(/^[0-9a-f-]{36}$/)
    expect(readLaunch([], {}).sessionId).not.toBe(readLaunch([], {}).sessionId)
  })

  it('sends state events as the environment asks', () => {
    expect(readLaunch([], {}).stateEvents).toBe('off')
    expect(readLaunch([], { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' }).stateEvents).toBe('plain')
    expect(readLaunch([], { CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' }).stateEvents).toBe('host')
  })

  it('reads servers from JSON on the command line and passes over files', () => {
    const config = '{"mcpServers":{"s":{"type":"sdk","name":"s"}}}'
    expect(readLaunch(['--mcp-config', config], {}).mcpServers).toEqual({ s: { type: 'sdk', name: 's' } })
    expect(readLaunch(['--mcp-config', 'servers.json'], {}).mcpServers).toEqual({})
    expect(readLaunch(['--mcp-config={broken'], {}).mcpServers).toEqual({})
  })

  it('reads settings from JSON or a file, and none from anything else', () => {
    expect(readLaunch(['--settings={"a":1}'], {}).settings).toEqual({ a: 1 })
    const file = fileURLToPath(new URL('../../package.json', import.meta.url))
    expect(readLaunch([`--settings=${file}`], {}).settings).toMatchObject({ name: '@dorkos/testkit' })
    for (const args of [[], ['--settings={'], ['--settings=/nowhere.json']])
      expect(readLaunch(args, {}).settings).toEqual({})
  })
})
