/** Commands in the background: told of, read while they run, and stopped by a person. With the real CLI. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EventOf, Task } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import type { Conversation } from './support/conversation.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()

const bash = (command: string, more: object = {}) =>
  toolUse('Bash', { command, description: 'a loop', ...more })
/** Runs until its file is there, or its folder is gone. */
const until = (name: string) => `while [ -d "$PWD" ] && [ ! -e ${name} ]; do sleep 0.1; done`
const inBypass = { permission_mode: 'bypassPermissions' } as const

const told = (session: Conversation, status: Task['status']): Promise<EventOf<'tasks_update'>> =>
  session.watch.next('tasks_update', ({ tasks }) =>
    tasks.some((task) => task.status === status && task.tool_call_id),
  )

it('are listed while they run, read by offset, and stopped one by one; what else runs goes on', async () => {
  const { client } = used.host
  const calls = [
    bash(`echo first; ${until('second')}; echo second; ${until('never')}`, { run_in_background: true }),
  ]
  const session = await used.start([...calls, 'Begun.'], inBypass)
  await session.endOf(1)
  const [task] = (await told(session, 'running')).tasks
  const call = session.watch.of('tool_call_end')[0]?.tool_call_id
  expect(task).toMatchObject({ kind: 'command', label: 'a loop', background: true, tool_call_id: call })
  const params = { ...session.params, taskId: task?.task_id ?? '' }
  expect(await client.listTasks({ params: session.params })).toEqual({ tasks: [task] })
  const page = async (offset?: number) =>
    client.getTaskOutput({ params, query: offset === undefined ? {} : { offset } })
  await expect.poll(async () => (await page().catch(() => undefined))?.text).toBe('first\n')
  const { next_offset } = await page()
  writeFileSync(join(used.host.cwd, 'second'), '')
  await expect.poll(async () => (await page(next_offset)).text).toBe('second\n')
  // Its words are read by whoever asks, and are no events.
  expect(session.watch.of('tool_progress').filter(({ text }) => text?.includes('first'))).toEqual([])

  await client.stopTask({ params, body: {} })
  const stopped = (await told(session, 'stopped')).tasks
  expect(stopped).toEqual([{ ...task, status: 'stopped' }])
  await expect(client.stopTask({ params, body: {} })).rejects.toMatchObject({ status: 409 })
  const { entries } = await client.listAudit({ query: { action: 'task_stopped' } })
  expect(entries).toMatchObject([
    { session_id: session.id, principal: 'owner', detail: { task_id: task?.task_id, label: 'a loop' } },
  ])
  // What it printed can still be read, and the session goes on.
  expect((await page(0)).text).toContain('second\n')
  expect(await session.say(used.prompts.on('go on', 'Here.'))).toMatchObject({ outcome: 'completed' })

  await client.stopSession({ params: session.params, body: {} })
  expect(await client.listTasks({ params: session.params })).toEqual({ tasks: [] })
  await expect(page()).rejects.toMatchObject({ status: 404 })
})

it('that the agent waits for are stopped too, and the turn goes on', async () => {
  const { client } = used.host
  const session = await used.start([bash(`echo printed; ${until('never')}`), 'Went on.'], inBypass)
  const [task] = (await told(session, 'running')).tasks
  expect(task).toMatchObject({ background: false })
  const params = { ...session.params, taskId: task?.task_id ?? '' }
  await expect
    .poll(async () => (await client.getTaskOutput({ params }).catch(() => undefined))?.text)
    .toBe('printed\n')
  await client.stopTask({ params, body: {} })
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  expect(session.watch.text).toBe('Went on.')
  expect(JSON.stringify(session.watch.of('tool_result')[0]?.content)).toContain('Exit code 137')
  const nobody = { ...session.params, taskId: 'b0000' }
  await expect(client.stopTask({ params: nobody, body: {} })).rejects.toMatchObject({ status: 404 })
  await expect(client.getTaskOutput({ params: nobody })).rejects.toMatchObject({ status: 404 })
})
