import type { Task } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { mapAll } from '../../../test/support/cli-messages.ts'

const command = { type: 'system', task_id: 'b1', tool_use_id: 't1' }
const started = {
  ...command,
  subtype: 'task_started',
  task_type: 'local_bash',
  description: 'make all',
  is_backgrounded: false,
}
const moved = { ...command, subtype: 'task_updated', patch: { is_backgrounded: true } }
const ended = (status: unknown) => ({ ...command, subtype: 'task_notification', status, summary: 'said' })
const changed = (...tasks: object[]) => ({ type: 'system', subtype: 'background_tasks_changed', tasks })
const listed = { task_id: 'b1', task_type: 'local_bash', description: 'make all' }

/** What was published of tasks, one list after the other. */
const listsAfter = (...messages: object[]): Task[][] =>
  mapAll(messages).flatMap((event) => (event.type === 'tasks_update' ? [event.tasks] : []))

const running: Task = {
  task_id: 'b1',
  tool_call_id: 't1',
  kind: 'command',
  label: 'make all',
  background: false,
  status: 'running',
}

describe('what runs besides the answer', () => {
  it('is reported when it begins, goes to the background and ends, and not again', () => {
    const lists = listsAfter(started, started, changed(listed), moved, ended('completed'), changed())
    expect(lists).toEqual([
      [running],
      [{ ...running, background: true }],
      [{ ...running, background: true, status: 'completed' }],
    ])
  })

  it('is known by the list of what is in the background before it is reported by itself', () => {
    const { tool_call_id: _, ...unnamed } = { ...running, background: true }
    expect(listsAfter(changed(listed), { ...started, is_backgrounded: true })).toEqual([
      [unnamed],
      [{ ...running, background: true }],
    ])
  })

  it.each([
    ['failed', 'failed'],
    ['stopped', 'stopped'],
    ['killed', 'stopped'],
    ['completed', 'completed'],
    [7, 'completed'],
  ])('that ends as %s is told as %s', (status, public_) => {
    expect(listsAfter(started, ended(status)).at(-1)).toMatchObject([{ status: public_ }])
  })

  it('is forgotten where the list has it no more and nobody said how it ended', () => {
    expect(listsAfter({ ...started, is_backgrounded: true }, changed())).toHaveLength(2)
    expect(listsAfter({ ...started, is_backgrounded: true }, changed()).at(-1)).toEqual([])
    // Of the foreground the list says nothing.
    expect(listsAfter(started, changed())).toEqual([[running]])
  })

  it('is bounded: all that runs, and the newest of what ended', () => {
    const many = Array.from({ length: 60 }, (_, at) => ({
      ...started,
      task_id: `b${at}`,
      description: 'x'.repeat(9000),
    }))
    const over = many
      .slice(0, 50)
      .map((task) => ({ ...task, subtype: 'task_notification', status: 'completed' }))
    const last = listsAfter(...many, ...over).at(-1) ?? []
    expect(last).toHaveLength(30)
    expect(last.filter(({ status }) => status === 'running')).toHaveLength(10)
    expect(last.every(({ label }) => label.length === 300)).toBe(true)
  })

  it('is reported of a subagent too, and of what is neither', () => {
    const agent = { ...started, task_type: 'local_agent', subagent_type: 'helper' }
    expect(listsAfter(agent)).toMatchObject([[{ kind: 'agent' }]])
    expect(listsAfter({ ...started, task_type: 'monitor' })).toMatchObject([[{ kind: 'other' }]])
  })

  it('is not made of anything that is no list', () => {
    expect(listsAfter(changed(), { ...changed(), tasks: 'no' }, changed({}, { task_id: 7 }))).toEqual([])
  })
})
