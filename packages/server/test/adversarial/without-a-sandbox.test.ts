/** Without a sandbox, a command that a person or the mode allows is the owner’s own hand. What then holds, and what does not: as `docs/security.md` says. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, HostileAgent, type Outcome, script } from '../support/hostile-agent.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'
import { modesHere } from '../support/modes-here.ts'

const minutes = 60_000
let host: HostileHost
let agent: HostileAgent
const written = () => join(host.home, 'written.txt')

/** One line for each attempt: its name, and what came of it. */
function attempts(): Call {
  const { state, pid, apiUrl, token, approvalId, gatewayUrl, credential } = host.known
  const status = (name: string, path: string, more = '') =>
    `echo "${name}: $(curl -s -m 5 -o /dev/null -w '%{http_code}' ${more} '${apiUrl}${path}')"`
  const json = (body: object) => `-X POST -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  const bearer = `-H 'authorization: Bearer ${token}'`
  const answer = json({ decision: 'allow', scope: 'once' })
  const call = json({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] })
  return script(
    host,
    'attempts.sh',
    [
      `grep -q CANARY '${state}/canary.txt' && echo 'reads the state'`,
      `echo x > '${state}/written.txt' && echo 'writes the state'`,
      `grep -aq sk-test '/proc/${pid}/environ' && echo 'reads the key from the server'`,
      `env | grep -q -E 'sk-test|dorkos-session-|AUTH_TOKEN=|API_KEY=' || echo 'has no key in its environment'`,
      status('no token', '/api/sessions'),
      status('no token, answer', `/api/approvals/${approvalId}/answer`, answer),
      status('terminal token', '/api/sessions', bearer),
      status('terminal token, answer', `/api/approvals/${approvalId}/answer`, `${bearer} ${answer}`),
      status(
        'terminal token, bypass',
        '/api/sessions',
        `${bearer} ${json({ permission_mode: 'bypassPermissions' })}`,
      ),
      status(
        'terminal token, new token',
        '/api/tokens',
        `${bearer} ${json({ name: 'x', scopes: ['approve'] })}`,
      ),
      `echo "gateway, no credential: $(curl -s -m 5 -o /dev/null -w '%{http_code}' ${call} '${gatewayUrl}/v1/messages')"`,
      `echo "gateway, stale credential: $(curl -s -m 5 -o /dev/null -w '%{http_code}' -H 'authorization: Bearer ${credential}x' ${call} '${gatewayUrl}/v1/messages')"`,
    ].join('\n'),
  )
}

beforeAll(async () => {
  host = await startHostileHost({ sandbox: 'off' })
  agent = new HostileAgent(host, host.prompts)
}, minutes)
afterAll(() => host?.close(), minutes)

describe('without a sandbox', () => {
  it('a banner says what that means', async () => {
    const { banners, sandbox } = await host.client.getStatus()
    expect(sandbox).toMatchObject({ enabled: false, reason: 'the configuration turns it off' })
    const banner = banners.find(({ code }) => code === 'no_sandbox')
    expect(banner).toMatchObject({ level: 'danger' })
    expect(banner?.message).toContain(
      'Agents’ commands run without a sandbox (the configuration turns it off).',
    )
    for (const risk of ['read all your user’s files', 'DorkOS’s own state', 'reach this server', 'stop it'])
      expect(banner?.message).toContain(risk)
  })

  describe.each(modesHere.filter((mode) => mode !== 'dontAsk'))('a command that runs in %s', (mode) => {
    let outcome: Outcome
    let said: string[]
    beforeAll(async () => {
      rmSync(written(), { force: true })
      outcome = await agent.attack({ mode, calls: [attempts()] })
      said = (outcome.results[0]?.text ?? '').split('\n')
    }, 2 * minutes)

    it('was asked about, but in bypass mode', () => {
      expect(outcome.asked.map(({ tool }) => tool)).toEqual(mode === 'bypassPermissions' ? [] : ['Bash'])
    })

    it('possible: reads and writes the state, and finds the key in the server’s process', () => {
      expect(said).toEqual(
        expect.arrayContaining(['reads the state', 'writes the state', 'reads the key from the server']),
      )
      expect(existsSync(written())).toBe(true)
    })

    it('possible: reaches the server, and may look and chat with a terminal’s token', () => {
      expect(said).toContain('terminal token: 200')
    })

    it('holds: nothing without a token, and no approval with that one', () => {
      expect(said).toEqual(
        expect.arrayContaining([
          'no token: 401',
          'no token, answer: 401',
          'terminal token, answer: 403',
          'terminal token, bypass: 403',
          'terminal token, new token: 403',
          'gateway, no credential: 401',
          'gateway, stale credential: 401',
        ]),
      )
    })

    it('holds: commands get no key by their environment', () => {
      expect(said).toContain('has no key in its environment')
    })
  })

  it(
    'holds: in dontAsk no such command runs, and nobody is asked',
    async () => {
      rmSync(written(), { force: true })
      const { asked, results, decided } = await agent.attack({ mode: 'dontAsk', calls: [attempts()] })
      expect(decided).toEqual(['Bash: deny mode'])
      expect(asked).toEqual([])
      expect(results.map(({ isError }) => isError)).toEqual([true])
      expect(existsSync(written())).toBe(false)
    },
    minutes,
  )

  it(
    'possible: ends the server',
    async () => {
      const kill: Call = ['Bash', { command: `kill -9 ${host.known.pid}`, description: 'x' }]
      // Nobody hears the end of this turn.
      agent.attack({ mode: 'default', calls: [kill] }).catch(() => {})
      await host.died()
    },
    minutes,
  )
})
