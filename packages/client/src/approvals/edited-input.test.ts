import { describe, expect, it } from 'vitest'
import { draftOfInput, isInputDraft, readDraft } from './edited-input.ts'

const input = { command: 'ls', timeout: 5, env: { A: '1' } }

describe('an edited input', () => {
  it('is unchanged until something is', () => {
    expect(draftOfInput(input)).toEqual({ command: 'ls', timeout: '5', env: '{\n  "A": "1"\n}' })
    expect(readDraft(input, draftOfInput(input))).toEqual({ input, changed: false, faults: {} })
    expect(readDraft(input, {})).toMatchObject({ input, changed: false })
  })

  it('takes text as it is and the rest as JSON', () => {
    const draft = { ...draftOfInput(input), command: 'ls "\n', timeout: '7', env: '[]' }
    expect(readDraft(input, draft)).toEqual({
      input: { command: 'ls "\n', timeout: 7, env: [] },
      changed: true,
      faults: {},
    })
  })

  it('with a fault cannot be sent', () => {
    const { input: edited, faults } = readDraft(input, { ...draftOfInput(input), timeout: '7 s' })
    expect(edited).toBeUndefined()
    expect(Object.keys(faults)).toEqual(['timeout'])
  })

  it('knows its own drafts', () => {
    expect(isInputDraft({ a: 'b' })).toBe(true)
    for (const odd of [null, 'x', { a: 1 }]) expect(isInputDraft(odd)).toBe(false)
  })
})
