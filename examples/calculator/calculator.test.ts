import { startOffline } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { runExample } from '../support/example-process.ts'
import { script } from './demo.ts'

it('lets the agent add with a function of the program', async () => {
  await using offline = await startOffline(script)
  const { exitCode, output } = await runExample('calculator', offline)
  expect(output).toBe('→ mcp__calc__add { a: 17, b: 25 }\n← 42\n17 + 25 is 42.\n')
  expect(exitCode).toBe(0)
  expect(offline.model.problems).toEqual([])
})
