import { expect, test } from 'vitest'
import { findModel, modelLabel, parseModels } from './models.ts'

const models = parseModels([
  {
    value: 'default',
    resolvedModel: 'claude-opus-5-5',
    displayName: 'Default (recommended)',
    supportedEffortLevels: ['low', 'max', 'other'],
  },
  {
    value: 'opus',
    resolvedModel: 'claude-opus-5-5',
    displayName: 'Opus',
    supportedEffortLevels: ['high', 'low'],
  },
  { value: 'plain' },
  { value: 5 },
  null,
])

test('only what fits is taken, and only levels that there are', () => {
  expect(models.map(({ value, label, efforts }) => [value, label, efforts])).toEqual([
    ['default', 'Default (recommended)', ['low', 'max']],
    ['opus', 'Opus', ['low', 'high']],
    ['plain', 'plain', []],
  ])
})

test('a model is found by its name or by what it stands for; the default is for no choice', () => {
  expect(findModel(models, undefined)?.value).toBe('default')
  expect(findModel(models, 'opus')?.value).toBe('opus')
  expect(findModel(models, 'claude-opus-5-5')?.value).toBe('opus')
  expect(findModel(models, 'claude-else')).toBeUndefined()
  expect(modelLabel(models, 'claude-else')).toBe('claude-else')
})
