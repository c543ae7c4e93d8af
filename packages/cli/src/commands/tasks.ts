/** `dorkos sessions tasks | output | stop-task`: commands and subagents that run for a session. */
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient, Task } from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { connect } from '../connect.ts'
import { type CliContext, columnsOf } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { chooseSession } from '../session/choose-session.ts'
import { safeJson, safeText } from '../terminal/escape.ts'
import { styleOf } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'

const followMs = 1000

const columns: Column<Task>[] = [
  { title: 'TASK', value: ({ task_id }) => task_id },
  { title: 'STATE', value: ({ status }) => status },
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'WHERE', value: ({ background }) => (background ? 'background' : 'foreground') },
  { title: 'NAME', value: ({ label }) => label, grows: true },
]

export async function listTasks(
  context: CliContext,
  id: string,
  flags: { json?: boolean },
): Promise<ExitCode> {
  const { client } = await connect(context)
  const { tasks } = await client.listTasks({ params: { id: (await chooseSession(client, id)).id } })
  const { stdout, env } = context
  if (flags.json) for (const task of tasks) stdout.write(`${safeJson(task)}\n`)
  else if (tasks.length === 0) context.stderr.write('Nothing is running in this session.\n')
  else stdout.write(`${renderTable(tasks, columns, columnsOf(stdout), styleOf(stdout, env)).join('\n')}\n`)
  return exitCodes.completed
}

/** All that the command has printed; with `follow`, what it prints until it ends. */
export async function printOutput(
  context: CliContext,
  id: string,
  taskId: string,
  flags: { follow?: boolean },
): Promise<ExitCode> {
  const { client } = await connect(context)
  const params = { id: (await chooseSession(client, id)).id, taskId }
  const { stdout } = context
  for (let offset = 0; ; ) {
    // Asked before the output is read: what it printed last is then read, too.
    const isRunning = flags.follow === true && (await taskOf(client, params)).status === 'running'
    const page = await client.getTaskOutput({ params, query: { offset, limit: 1024 * 1024 } })
    // On a terminal the text must not act; in a pipe or file it stays as it is.
    stdout.write(stdout.isTTY ? safeText(page.text) : page.text)
    offset = page.next_offset
    if (page.text !== '' && offset < page.bytes) continue
    if (!isRunning) return exitCodes.completed
    await delay(followMs)
  }
}

export async function stopTask(context: CliContext, id: string, taskId: string): Promise<ExitCode> {
  const { client } = await connect(context)
  await client.stopTask({ params: { id: (await chooseSession(client, id)).id, taskId }, body: {} })
  context.stderr.write('Stopping.\n')
  return exitCodes.completed
}

async function taskOf(client: ApiClient, { id, taskId }: { id: string; taskId: string }): Promise<Task> {
  const { tasks } = await client.listTasks({ params: { id } })
  const task = tasks.find(({ task_id }) => task_id === taskId)
  if (!task) throw new CliError('No task with that id is running in this session.', exitCodes.usage)
  return task
}
