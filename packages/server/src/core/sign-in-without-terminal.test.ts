import { say } from '@dorkos/shared'
import { beforeEach, describe, expect, it } from 'vitest'
import type { GivenCode } from './auth.ts'
import { type AgentsSandbox, createSignInWithoutTerminal } from './sign-in-without-terminal.ts'

const given: GivenCode = { code: 'a-code-that-was-given-with-it', from: 'environment' }
let values: Map<string, string>
let accepted: string[]
let logged: string[]
let acted: boolean
beforeEach(() => {
  values = new Map()
  accepted = []
  logged = []
  acted = false
})

const holds: AgentsSandbox = { enabled: true, reason: undefined, platform: 'linux', openedBy: async () => [] }

function open(sandbox: Partial<AgentsSandbox> = {}) {
  const log = (fields: object, message: string) => void logged.push(`${JSON.stringify(fields)} ${message}`)
  return createSignInWithoutTerminal({
    auth: {
      createTerminalCode: async (form) => ({ code: form, expires_at: 'soon' }),
      async acceptGivenCode({ code }) {
        accepted.push(code)
        return { expires_at: 'later' }
      },
    },
    values: {
      getValue: async (key) => values.get(key),
      setValue: async (key, value) => void values.set(key, value),
    },
    agentsHaveActed: async () => acted,
    sandbox: { ...holds, ...sandbox },
    logger: { debug: log, info: log, warn: log, error: log },
  })
}

const doors: [string, Partial<AgentsSandbox>][] = [
  [
    'agents’ commands run without a sandbox (it is off)',
    { enabled: false, reason: say('cli_words', { text: 'it is off' }) },
  ],
  ['never tested against the sandbox of darwin', { platform: 'darwin' }],
  ['settings loosen the sandbox of agents’ commands (/a.json)', { openedBy: async () => ['/a.json'] }],
]

describe('a code for a terminal', () => {
  it('is given where the sandbox keeps agents out', async () => {
    acted = true
    expect(await open().codeForTerminal('typed')).toEqual({ code: 'typed', expires_at: 'soon' })
  })

  it.each(doors)('is refused once agents work, where %s', async (why, sandbox) => {
    expect(await open(sandbox).codeForTerminal('link')).toMatchObject({ code: 'link' })
    acted = true
    const asked = open(sandbox).codeForTerminal('link')
    await expect(asked).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining(why) })
    await expect(asked).rejects.toThrow('run `dorkos serve` once in a terminal')
    expect(logged.join()).toContain('refused')
  })
})

describe('a given code', () => {
  it('is taken once, whatever became of it', async () => {
    await open().take(given)
    await open().take({ ...given, from: 'file' })
    expect(accepted).toEqual([given.code])
    await open().take({ ...given, code: 'another-code-that-was-given' })
    expect(accepted).toHaveLength(2)
  })

  it('is not taken where agents have worked, in a sandbox or not, then or later', async () => {
    acted = true
    await open().take(given)
    acted = false
    await open().take(given)
    expect(accepted).toEqual([])
    expect(logged[0]).toContain('agents have worked here')
  })

  it('is in no log and stored as a hash', async () => {
    await open().take(given)
    await open().take(given)
    expect(logged).toHaveLength(2)
    expect([...logged, ...values.keys(), ...values.values()].join()).not.toContain(given.code)
  })
})
