import { fieldDraft, listConfigKeys } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { limitWords, readSetting, settingField, valueWords } from './config-control.ts'

const keys = listConfigKeys().map((key) => ({
  ...key,
  field: settingField(key.path, key.schema.toJSONSchema({ io: 'input' })),
}))

describe('fields from schemas', () => {
  it('gives every key of the configuration a fitting one', () => {
    expect(Object.fromEntries(keys.map(({ path, field }) => [path, field.kind]))).toMatchObject({
      port: 'number',
      host: 'text',
      insecureLan: 'boolean',
      tls: 'json',
      publicOrigins: 'list',
      roots: 'list',
      model: 'choice',
      'sessions.prewarm': 'boolean',
      'budgets.warnAt': 'number',
      rules: 'json',
      mcpServers: 'json',
      'log.level': 'choice',
    })
  })

  it('gives back every default of the configuration unchanged', () => {
    for (const { path, field, default: value } of keys)
      if (value !== undefined)
        expect(readSetting(field, fieldDraft(field, value) ?? ''), path).toEqual({ value })
  })
})

describe('what people type', () => {
  const read = (schema: object, draft: string) => readSetting(settingField('key', schema), draft)

  it('is text without the spaces around it, which only some keys may leave empty', () => {
    expect(read({ type: 'string' }, ' four ')).toEqual({ value: 'four' })
    expect(read({ type: 'string' }, ' ')).toEqual({ value: '' })
    expect(read({ type: 'array', items: { type: 'string' } }, '')).toEqual({ value: [] })
    for (const schema of [{ type: 'string', minLength: 1 }, { type: 'integer' }, { type: 'object' }])
      expect(read(schema, ' ')).toEqual({ fault: expect.stringContaining('can’t be empty') })
  })

  it('is held against the schema', () => {
    expect(read({ type: 'integer', maximum: 3 }, '4')).toEqual({ fault: 'At most 3.' })
    expect(read({ type: 'array' }, '{}')).toEqual({ fault: expect.stringContaining('a list') })
  })
})

describe('values in words', () => {
  it('says limits only where there are some', () => {
    const schema = { type: 'integer', minimum: 256, maximum: Number.MAX_SAFE_INTEGER }
    expect(settingField('key', schema)).toMatchObject({
      kind: 'number',
      integer: true,
      min: 256,
      max: undefined,
    })
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
