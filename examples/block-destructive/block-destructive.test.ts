import { readdir } from 'node:fs/promises'
import { startOffline } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { runExample } from '../support/example-process.ts'
import { script } from './demo.ts'

it('stops rm -rf, gives the model the reason, and lets a harmless command through', async () => {
  await using offline = await startOffline(script)
  const { exitCode, output } = await runExample('block-destructive', offline)
  expect(output).toContain('blocked: rm -rf ./*\n')
  // The agent's own `ls`, and the program's own look at the disk.
  expect(output).toContain('← precious.txt\n')
  expect(output).toContain('precious.txt is still there\n')
  expect(exitCode).toBe(0)

  const [denied, listed] = offline.model.requests.flatMap(({ toolResults }) => toolResults)
  expect(denied).toMatchObject({
    isError: true,
    text: expect.stringContaining('Destructive commands are not allowed'),
  })
  expect(listed).toMatchObject({ isError: false, text: 'precious.txt' })
  expect(offline.model.problems).toEqual([])
  expect((await readdir(`${offline.home}/tmp`)).filter((name) => name.startsWith('precious-'))).toEqual([])
})
