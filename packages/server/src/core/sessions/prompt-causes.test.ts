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

it('news of a task are ours as often as it reports, until 10,000 more have begun', () => {
  const news = (task: string) => `<task-notification>\n<task-id>${task}</task-id>\n</task-notification>`
  const begin = (task: string) => causes.see({ type: 'system', subtype: 'task_started', task_id: task })
  expect(causes.isOurs(news('task-0'))).toBe(false)
  for (let at = 0; at < 10_000; at++) begin(`task-${at}`)
  expect([causes.isOurs(news('task-0')), causes.isOurs(news('task-0'))]).toEqual([true, true])
  begin('task-10000')
  expect(['task-0', 'task-1', 'task-10000'].map((task) => causes.isOurs(news(task)))).toEqual([
    false,
    true,
    true,
  ])
})
