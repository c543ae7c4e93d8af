import { describe, expect, it } from 'vitest'
import { version } from '../version.ts'
import { toEnvironment } from './environment.ts'

const added = {
  CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
  CLAUDE_AGENT_SDK_VERSION: version,
  CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
}

describe('toEnvironment', () => {
  it('lays the option over the program’s own environment; undefined takes a variable away', () => {
    const own = { PATH: '/bin', KEEP: 'a', CHANGE: 'a', GONE: 'a', UNSET: undefined }
    const env = { CHANGE: 'b', NEW: 'b', GONE: undefined }
    expect(toEnvironment({ env }, own)).toEqual({ PATH: '/bin', KEEP: 'a', CHANGE: 'b', NEW: 'b', ...added })
  })

  it('replaces the environment where that is asked for', () => {
    expect(toEnvironment({ env: { A: '1' } }, { PATH: '/bin' }, true)).toEqual({ A: '1', ...added })
    expect(toEnvironment({ env: {} }, { PATH: '/bin' }, true)).toEqual(added)
    expect(toEnvironment({}, { PATH: '/bin' }, true)).toEqual({ PATH: '/bin', ...added })
  })

  it('does not inherit what marks a nested Claude Code, but takes it when it is given', () => {
    const own = {
      CLAUDECODE: '1',
      CLAUDE_CODE_SSE_PORT: '1',
      CLAUDE_CODE_SESSION_ID: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
    }
    expect(toEnvironment({}, own)).toEqual(added)
    expect(toEnvironment({ env: { CLAUDECODE: '1' } }, own)).toEqual({ CLAUDECODE: '1', ...added })
    expect(own.CLAUDECODE).toBe('1')
  })

  it('keeps a name that the program gave itself, and always asks for the state', () => {
    const env = { CLAUDE_CODE_ENTRYPOINT: 'mine', CLAUDE_CODE_SDK_READS_SESSION_STATE: '0' }
    expect(toEnvironment({ env }, {})).toEqual({ ...added, CLAUDE_CODE_ENTRYPOINT: 'mine' })
  })

  it('adds what options need', () => {
    expect(toEnvironment({ enableFileCheckpointing: true }, {})).toEqual({
      ...added,
      CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true',
    })
    const toolConfig = { askUserQuestion: { previewFormat: 'html' } } as const
    expect(toEnvironment({ toolConfig }, {})).toEqual({
      ...added,
      CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'html',
    })
  })
})
