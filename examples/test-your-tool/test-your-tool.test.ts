// How to test a tool of your own without a key and without a network. Copy this.
import { type Step, startOffline, toolUse } from '@dorkos/testkit'
import { ClaudeCodeAgent } from 'claude-code-agent'
import { describe, expect, it } from 'vitest'
import { runExample } from '../support/example-process.ts'
import { script } from './demo.ts'
import { shop } from './shipping.ts'

/** Runs the real CLI with the tool. The "model" says what the script says, and keeps what it was asked. */
async function converse(steps: Step[]) {
  await using offline = await startOffline(steps)
  const agent = new ClaudeCodeAgent({
    mcpServers: { shop },
    allowedTools: ['mcp__shop__quote_shipping'],
    settingSources: [],
    env: offline.env,
    cwd: offline.cwd,
  })
  const session = await agent.startSession({ prompt: 'What does shipping cost?' })
  const { result } = await session.waitForCompletion()
  expect(offline.model.problems).toEqual([])
  return { answer: result?.content, requests: offline.model.requests.filter(({ kind }) => kind === 'main') }
}

const quote = (input: Record<string, unknown>) => toolUse('mcp__shop__quote_shipping', input)

describe('quote_shipping', () => {
  it('gives the model the price', async () => {
    const { answer, requests } = await converse([quote({ country: 'FR', kilos: 2.5 }), 'It costs 15 euros.'])
    expect(requests[1]?.toolResults).toMatchObject([{ text: '15.00 EUR', isError: false }])
    expect(answer).toBe('It costs 15 euros.')
  })

  it('tells the model what it cannot do, so that it can tell the user', async () => {
    const { requests } = await converse([quote({ country: 'AQ', kilos: 1 }), 'Sorry.'])
    expect(requests[1]?.toolResults).toMatchObject([{ text: 'We do not ship to AQ', isError: true }])
  })

  it('never runs on arguments of the wrong type', async () => {
    const { requests } = await converse([quote({ country: 'FR', kilos: 'three' }), 'Let me try again.'])
    expect(requests[1]?.toolResults).toMatchObject([
      { text: expect.stringContaining('kilos'), isError: true },
    ])
  })

  it('is described to the model as intended', async () => {
    const { requests } = await converse(['Hello.'])
    const described = requests[0]?.tools.find(({ name }) => name === 'mcp__shop__quote_shipping')
    expect(described?.description).toContain('Ships to DE, FR, US only')
    expect(described?.input_schema).toMatchObject({ required: ['country', 'kilos'] })
  })
})

it('works in the program', async () => {
  await using offline = await startOffline(script)
  expect(await runExample('test-your-tool', offline)).toEqual({ exitCode: 0, output: 'That is 18.00 EUR.\n' })
})
