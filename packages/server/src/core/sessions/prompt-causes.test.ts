import { beforeEach, expect, it } from 'vitest'
import { PromptCauses } from './prompt-causes.ts'

let causes: PromptCauses
beforeEach(() => {
  causes = new PromptCauses()
})

it('a message is good for one prompt, and not for the same words again', () => {
  causes.sent('1', 'go on')
  causes.begun('1')
  expect(causes.isOurs('go\n on ')).toBe(true)
  expect(causes.isOurs('go on')).toBe(false)
})

it('two messages of the same words are good for two', () => {
  for (const id of ['1', '2']) {
    causes.sent(id, 'go on')
    causes.begun(id)
  }
  expect(['go on', 'go on', 'go on'].map((prompt) => causes.isOurs(prompt))).toEqual([true, true, false])
})

it('one that is put to the model before it begins may be put there again when it does', () => {
  causes.sent('1', 'go on')
  expect(causes.isOurs('go on')).toBe(true)
  causes.begun('1')
  expect(causes.isOurs('go on')).toBe(true)
  expect(causes.isOurs('go on')).toBe(false)
})

it('one that the CLI is done with is good for none, whether it was put to the model or not', () => {
  causes.sent('1', 'go on')
  causes.sent('2', [{ type: 'text', text: 'and more' }])
  causes.begun('1')
  causes.done('1', '2')
  expect(causes.isOurs('go on')).toBe(false)
  expect(causes.isOurs('and more')).toBe(false)
})
