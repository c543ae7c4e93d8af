/** What a command prints is published while it runs. With the real CLI. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { useHost } from './support/use-host.ts'

const used = useHost()

it('publishes the last lines of a command that runs, and then its result', async () => {
  // Runs until the test has seen what it printed.
  const command = 'n=0; while [ ! -e seen ]; do n=$((n+1)); echo "line $n"; sleep 0.3; done; echo over'
  const call = toolUse('Bash', { command, description: 'a test' })
  const session = await used.start([call, 'Done.'], { permission_mode: 'bypassPermissions' })
  const progress = await session.watch.next(
    'tool_progress',
    ({ text }) => text !== undefined && /^line 1\nline 2\n/.test(text),
  )
  const begun = session.watch.events.find(({ type }) => type === 'tool_call_end')
  expect(progress).toMatchObject({ tool_call_id: begun?.type === 'tool_call_end' && begun.tool_call_id })
  writeFileSync(join(used.host.cwd, 'seen'), '')
  await session.endOf(1)
  const result = session.watch.events.find(({ type }) => type === 'tool_result')
  expect(JSON.stringify(result)).toContain('over')
  expect(session.watch.events.findLastIndex(({ type }) => type === 'tool_progress')).toBeLessThan(
    session.watch.events.findIndex(({ type }) => type === 'tool_result'),
  )
})
