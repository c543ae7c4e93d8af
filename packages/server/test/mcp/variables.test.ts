/** What stands in an entry as `${VAR}` comes from a list of variables, and a server gets no other. */
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { connect, lastOffer, offering } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const withVariable = (value: string) => offering('env', { env: { GIVEN: value } })

const used = useHost({
  env: {
    ALLOWED: 'from the environment',
    BARRED: 'not for servers',
    SECRET_TOKEN: 'neither',
    PASSED: 'passed on',
  },
  config: {
    mcp: { expandEnv: ['ALLOWED', 'UNSET'], env: ['PASSED'] },
    mcpServers: {
      allowed: withVariable(`\${ALLOWED}`),
      fallback: withVariable(`\${UNSET:-by default}`),
      barred: withVariable(`\${BARRED}`),
      unset: withVariable(`\${UNSET}`),
    },
  },
})

it('expands what is allowed, and says what to do about the rest', async () => {
  const { host } = used
  await connect(host, ['allowed', 'fallback'])
  const ask = (server: string, name: string) => toolUse(`mcp__${server}__env`, { name })
  const session = await used.start(
    [
      ask('allowed', 'GIVEN'),
      ask('fallback', 'GIVEN'),
      ask('allowed', 'SECRET_TOKEN'),
      ask('allowed', 'ANTHROPIC_API_KEY'),
      ask('allowed', 'PASSED'),
      'done',
    ],
    { permission_mode: 'bypassPermissions' },
  )
  expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
  expect([1, 2, 3, 4, 5].map((n) => session.result(n))).toEqual([
    { value: 'from the environment' },
    { value: 'by default' },
    { value: null },
    { value: null },
    { value: 'passed on' },
  ])
  expect(lastOffer(host, session)).toEqual(['mcp__allowed__env', 'mcp__fallback__env'])
  const { servers } = await host.client.getSessionMcp({ params: session.params })
  expect(servers.filter(({ use }) => use === 'filtered')).toMatchObject([
    { name: 'barred', reason: 'variables', message: expect.stringContaining('mcp.expandEnv') },
    { name: 'unset', reason: 'variables', message: expect.stringContaining('UNSET is not set') },
  ])
})
