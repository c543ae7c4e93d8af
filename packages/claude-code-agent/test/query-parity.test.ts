import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { official, ours } from './support/both-sdks.ts'
import { observe } from './support/observe.ts'
it('x', async () => {
  const program = async (run) => {
    const add = run.sdk.tool('add', 'Adds', { a: z.number(), b: z.number() }, async ({ a, b }) => ({ content: [{ type: 'text', text: `${a + b}` }] }))
    await run.query('Add 1 and 2', { mcpServers: { calc: run.sdk.createSdkMcpServer({ name: 'c', tools: [add] }) }, allowedTools: ['mcp__calc__add'] })
  }
  const script = () => [toolUse('mcp__calc__add', { a: 1, b: 2 }), 'It is 3.']
  const [a, b] = await Promise.all([official, ours].map((sdk) => observe(sdk, script(), program)))
  console.log(JSON.stringify(a, null, 1))
  expect(b).toEqual(a)
})
