import { expect, test } from 'vitest'
import type { Item } from '../live/page-session.ts'
import { beginRecall, historyOf, recallStep } from './history.ts'

function user(content: string | { type: string; text?: string }[], synthetic = false): Item {
  return { kind: 'user', key: 'k', time: 't', messageId: 'm', content, synthetic }
}

test('what a person typed, the newest first, without repetitions and without files', () => {
  const items = [
    user('first'),
    user('a summary', true),
    user('second'),
    user('second'),
    user([
      { type: 'text', text: '<file name="a.txt">\nlong\n</file>' },
      { type: 'image' },
      { type: 'text', text: 'third' },
    ]),
    user('  '),
  ]
  expect(historyOf(items)).toEqual(['third', 'second', 'first'])
})

test('back and forth ends with what was being typed', () => {
  let recall = beginRecall(['c', 'b'], 'draft')
  const seen: string[] = []
  for (const step of [1, 1, 1, -1, -1, -1] as const) {
    const next = recallStep(recall, step)
    seen.push(next?.text ?? '-')
    recall = next?.recall ?? recall
  }
  expect(seen).toEqual(['c', 'b', '-', 'c', 'draft', '-'])
})
