import { listConfigKeys } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { type Control, controlOf, fromDraft, limitWords, toDraft, valueWords } from './config-control.ts'

describe('controls from schemas', () => {
  it('gives every key of the configuration a fitting control', () => {
    const kinds = Object.fromEntries(
      listConfigKeys().map((key) => [key.path, controlOf(key.schema.toJSONSchema({ io: 'input' })).kind]),
    )
    expect(kinds).toMatchObject({
      port: 'number',
      host: 'text',
      insecureLan: 'switch',
      tls: 'json',
      publicOrigins: 'list',
      roots: 'list',
      model: 'choice',
      'sessions.prewarm': 'switch',
      'budgets.warnAt': 'number',
      rules: 'json',
      mcpServers: 'json',
      'log.level': 'choice',
    })
  })

  it('gives back every default of the configuration unchanged', () => {
    for (const key of listConfigKeys()) {
      if (key.default === undefined) continue
      const control = controlOf(key.schema.toJSONSchema({ io: 'input' }))
      expect(fromDraft(control, toDraft(control, key.default)), key.path).toEqual({ value: key.default })
    }
  })

  it('takes what it does not know as JSON', () => {
    for (const schema of [
      undefined,
      null,
      'x',
      {},
      { type: ['string', 'null'] },
      { type: 'array' },
      { enum: [1, 2] },
    ]) {
      expect(controlOf(schema).kind).toBe('json')
    }
  })
})

describe('what people type', () => {
  const whole: Control = { kind: 'number', whole: true, min: 1, max: 200 }

  it('reads numbers within their limits', () => {
    expect(fromDraft(whole, ' 8 ')).toEqual({ value: 8 })
    expect(fromDraft({ ...whole, whole: false }, '1,5')).toEqual({ value: 1.5 })
    for (const draft of ['', 'eight', '1.5', '0', '201', '1e999', '0x']) {
      expect(fromDraft(whole, draft), draft).toHaveProperty('fault')
    }
  })

  it('reads lists by line, without empty ones', () => {
    expect(fromDraft({ kind: 'list' }, ' a \n\nb\n')).toEqual({ value: ['a', 'b'] })
    expect(fromDraft({ kind: 'list' }, '')).toEqual({ value: [] })
  })

  it('wants JSON of the right shape', () => {
    expect(fromDraft({ kind: 'json', shape: 'array' }, '[{"effect":"deny","tool":"Bash"}]')).toEqual({
      value: [{ effect: 'deny', tool: 'Bash' }],
    })
    expect(fromDraft({ kind: 'json', shape: 'array' }, '{}')).toHaveProperty('fault')
    expect(fromDraft({ kind: 'json', shape: 'object' }, '[')).toHaveProperty('fault')
    expect(fromDraft({ kind: 'json', shape: 'object' }, 'null')).toHaveProperty('fault')
  })

  it('does not take an empty text where one is needed', () => {
    expect(fromDraft({ kind: 'text', required: true, longest: undefined }, ' ')).toHaveProperty('fault')
    expect(fromDraft({ kind: 'text', required: false, longest: 3 }, 'four')).toHaveProperty('fault')
    expect(fromDraft({ kind: 'text', required: false, longest: 4 }, 'four')).toEqual({ value: 'four' })
  })
})

describe('values in words', () => {
  it('says limits only where there are some', () => {
    const control = controlOf({ type: 'integer', minimum: 256, maximum: Number.MAX_SAFE_INTEGER })
    expect(control).toEqual({ kind: 'number', whole: true, min: 256, max: undefined })
    expect(limitWords({ min: 256, max: undefined })).toBe('256 or more.')
    expect(limitWords({ min: undefined, max: undefined })).toBeUndefined()
  })

  it('is short', () => {
    expect(valueWords(undefined)).toBe('not set')
    expect(valueWords([])).toBe('none')
    expect(valueWords({})).toBe('none')
    expect(valueWords(true)).toBe('on')
    expect(valueWords(4242)).toBe('4242')
    expect(valueWords(['a', 'b'])).toBe('a, b')
    expect(valueWords({ long: 'x'.repeat(500) }).length).toBe(120)
  })
})
