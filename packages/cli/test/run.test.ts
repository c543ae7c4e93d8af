import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiError, hang, type ModelRequest, reply, type Step, text, thinking, toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OfflineServer, startOfflineServer } from './support/offline-server.ts'

const touch = (file: string) => toolUse('Bash', { command: `touch ${file}`, description: 'Make a file' })

let host: OfflineServer
/** A session with a process that runs, for the cases in which it does not matter that it is new. */
let session: string

beforeAll(async () => {
  host = await startOfflineServer([])
  session = (await host.page.createSession({ body: {} })).session.id
})

afterAll(async () => {
  await host?.[Symbol.asyncDispose]()
})

/** The model's next answers. Gives what it is asked from now on. */
function answers(...steps: Step[]): () => ModelRequest[] {
  const before = host.offline.model.requests.length
  host.offline.model.push(...steps)
  return () => host.offline.model.requests.slice(before)
}

describe('dorkos run', () => {
  it('prints the answer to standard output and everything else beside it', async () => {
    const asked = answers([thinking('hm'), text('It is \x1b[31m42.')])
    const terminal = host.terminal({ isTTY: false })
    expect(await terminal.run('run', 'what', 'is', 'it?')).toBe(0)
    expect(terminal.stdout).toBe('It is \\u{1b}[31m42.\n')
    expect(terminal.stderr).toContain('hm')
    expect(terminal.stderr).toMatch(/\(completed, .*session [0-9a-f-]{36}/s)
    expect(asked()[0]?.lastUserText).toBe('what is it?')
  })

  it('asks for a code, then for the approval, and runs what was allowed', async () => {
    answers(touch('made.txt'), 'Done.')
    const before = new Set((await host.page.listTokens()).tokens.map(({ id }) => id))
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session)
    await terminal.shown(/Code \(Enter to skip\) > /)
    terminal.type('0000000000')
    await terminal.shown(/already used, has expired or never existed[\s\S]*Code \(Enter to skip\) > /)
    terminal.type((await host.server.pairingCode()).code)
    await terminal.shown(/Approval needed: Bash[\s\S]*command: touch made.txt[\s\S]*leave open > /)
    expect(existsSync(join(host.offline.cwd, 'made.txt'))).toBe(false)
    terminal.type('y')
    expect(await exit).toBe(0)
    expect(existsSync(join(host.offline.cwd, 'made.txt'))).toBe(true)
    expect(terminal.screen).toContain('✓')
    // The right was handed back.
    const { tokens } = await host.page.listTokens()
    const paired = tokens.filter(({ name, id }) => name.startsWith('terminal on') && !before.has(id))
    expect(paired).toHaveLength(1)
    expect(paired[0]?.revoked_at).toBeDefined()
  })

  it('goes on by itself when the code that it shows is confirmed elsewhere', async () => {
    answers(touch('confirmed.txt'), 'Done.')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session)
    await terminal.shown(/or confirm [0-9A-Z]{5}-[0-9A-Z]{5} there\.\nCode \(Enter to skip\) > /)
    const code = /confirm (\S+) there/.exec(terminal.screen)?.[1] ?? ''
    const pairing = await host.page.confirmPairing({ params: { code }, body: {} })
    expect(pairing).toMatchObject({ kind: 'terminal', name: expect.stringContaining('terminal on') })
    await terminal.shown(/Approval needed: Bash[\s\S]*leave open > /)
    terminal.type('y')
    expect(await exit).toBe(0)
    expect(existsSync(join(host.offline.cwd, 'confirmed.txt'))).toBe(true)
    const paired = (await host.page.listTokens()).tokens.filter(({ made_by }) => made_by !== undefined)
    expect(paired).toMatchObject([{ kind: 'terminal', revoked_at: expect.any(String) }])
  })

  it('asks whether the agent may work in a folder that is in no workspace', async () => {
    const asked = answers(
      toolUse('Read', { file_path: 'notes.txt' }),
      'Read.',
      toolUse('Read', { file_path: 'notes.txt' }),
      'No.',
    )
    const cwd = join(host.offline.home, 'elsewhere')
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'notes.txt'), 'NOTES')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--cwd', cwd, '--code', '-')
    await terminal.shown(/Code > /)
    terminal.type((await host.server.pairingCode()).code)
    // A terminal with that right has said so by asking for it.
    expect(await exit).toBe(0)

    const asking = host.terminal()
    const exitOfAsking = asking.run('run', 'go', '--cwd', cwd)
    await asking.shown(/elsewhere isn’t in a workspace[\s\S]*Confirm the folder\? .*> /)
    asking.type('y')
    await asking.shown(/“Approve” permission[\s\S]*Code \(Enter to skip\) > /)
    asking.type((await host.server.pairingCode()).code)
    expect(await exitOfAsking).toBe(0)
    const { entries } = await host.page.listAudit({ query: { action: 'folder_confirmed' } })
    expect(entries).toMatchObject([{ detail: { cwd } }])
    expect(asked().at(-1)?.toolResults[0]?.text).toContain('NOTES')
  })

  it('gives the agent the reason of a denial, and exits with 4', async () => {
    const asked = answers(touch('no.txt'), 'I see.')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session, '--code', '-')
    await terminal.shown(/Code > /)
    terminal.type((await host.server.pairingCode()).code)
    await terminal.shown(/leave open > /)
    terminal.type('n')
    await terminal.shown(/Tell the agent why/)
    terminal.type('not today')
    expect(await exit).toBe(4)
    expect(terminal.screen).toMatch(/\(completed, .*: The only tool call in this turn was denied\.\)/)
    expect(asked()[1]?.toolResults[0]).toMatchObject({ isError: true })
    expect(asked()[1]?.toolResults[0]?.text).toContain('not today')
    expect(existsSync(join(host.offline.cwd, 'no.txt'))).toBe(false)
  })

  it('runs the input that was edited', async () => {
    answers(touch('first.txt'), 'Done.')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session, '--code', '-')
    await terminal.shown(/Code > /)
    terminal.type((await host.server.pairingCode()).code)
    await terminal.shown(/leave open > /)
    terminal.type('e')
    await terminal.shown(/Which one: command, description\? /)
    terminal.type('command')
    await terminal.shown(/command = /)
    terminal.type('touch second.txt')
    await terminal.shown(/It would run:[\s\S]*back > /)
    terminal.type('y')
    expect(await exit).toBe(0)
    expect(existsSync(join(host.offline.cwd, 'first.txt'))).toBe(false)
    expect(existsSync(join(host.offline.cwd, 'second.txt'))).toBe(true)
  })

  it('leaves an approval open for the page without a code, and goes on when it is answered there', async () => {
    answers(touch('page.txt'), 'Done.')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session)
    await terminal.shown(/Code \(Enter to skip\) > /)
    terminal.type('')
    await terminal.shown(/left open until/)
    const { approvals } = await host.page.listApprovals()
    expect(approvals).toHaveLength(1)
    await host.page.answerApproval({ params: { id: approvals[0]?.id ?? '' }, body: { decision: 'allow' } })
    expect(await exit).toBe(0)
    expect(existsSync(join(host.offline.cwd, 'page.txt'))).toBe(true)
  })

  it('takes its question back when somebody else answers first', async () => {
    answers(touch('else.txt'), 'Done.')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session, '--code', '-')
    await terminal.shown(/Code > /)
    terminal.type((await host.server.pairingCode()).code)
    await terminal.shown(/leave open > /)
    const { approvals } = await host.page.listApprovals()
    await host.page.answerApproval({
      params: { id: approvals[0]?.id ?? '' },
      body: { decision: 'deny', message: 'no' },
    })
    expect(await exit).toBe(4)
    expect(terminal.screen).toMatch(/denied by the program that started the server/)
  })

  it('puts the agent’s questions to the person', async () => {
    const questions = [
      {
        question: 'Which colour?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: 'cold' },
        ],
      },
    ]
    const asked = answers(toolUse('AskUserQuestion', { questions }), 'Thanks.')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session, '--code', '-')
    await terminal.shown(/Code > /)
    terminal.type((await host.server.pairingCode()).code)
    await terminal.shown(/\| Which colour\?\n {2}1 {2}Red: warm\n {2}2 {2}Blue: cold\n[\s\S]* > /)
    terminal.type('2')
    expect(await exit).toBe(0)
    expect(asked()[1]?.toolResults[0]?.text).toContain('Blue')
  })

  it('interrupts the turn at the first Ctrl-C, and exits with 3', async () => {
    const before = host.offline.model.requests.length
    answers(hang({ blocks: [text('thinking about it')], afterDeltas: 1 }))
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', session)
    await host.offline.model.waitForRequest(before + 1, { timeoutMs: 25_000 })
    terminal.interrupt()
    expect(await exit).toBe(3)
    expect(terminal.screen).toContain('(interrupted')
  })

  it('exits with 5 when the limit of steps is reached, and with 1 when the turn failed', async () => {
    answers(toolUse('Glob', { pattern: '*' }))
    expect(await host.terminal({ isTTY: false }).run('run', 'go', '--max-turns', '1')).toBe(5)
    await using broken = await startOfflineServer([apiError(403, 'nothing for you', { sticky: true })])
    const failing = broken.terminal({ isTTY: false })
    expect(await failing.run('run', 'go')).toBe(1)
    expect(failing.stderr).toContain('(failed')
  })

  it('gives JSON lines and a result, and never asks', async () => {
    answers(touch('json.txt'), 'Done \u202e.')
    const terminal = host.terminal()
    const exit = terminal.run('run', '--json', 'go', '--session', session)
    await terminal.shown(
      /There’s no terminal to ask on\. Answer it in one with `dorkos attach [0-9a-f-]{36}`/,
    )
    const { approvals } = await host.page.listApprovals()
    await host.page.answerApproval({ params: { id: approvals[0]?.id ?? '' }, body: { decision: 'allow' } })
    expect(await exit).toBe(0)
    const lines = terminal.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'turn_start' })
    expect(lines.map(({ type }) => type)).toContain('approval_required')
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      outcome: 'completed',
      text: 'Done \u202e.',
      exit_code: 0,
    })
    expect(terminal.stdout).not.toContain('\u202e')
  })

  it('does not take the time of the first connection for a lost one', async () => {
    answers('Hi.')
    const terminal = host.terminal({ isTTY: false, reconnectMs: 1 })
    expect(await terminal.run('run', 'go', '--session', session)).toBe(0)
    expect(terminal.stdout).toBe('Hi.\n')
  })

  it('goes on with a session by the beginning of its id', async () => {
    const asked = answers('One.', reply([text('Two.')]))
    const first = host.terminal({ isTTY: false })
    await first.run('run', 'remember', '--json')
    const { session_id } = JSON.parse(first.stdout.trimEnd().split('\n').at(-1) ?? '')
    const second = host.terminal({ isTTY: false })
    expect(await second.run('run', 'and now?', '--no-stream', '--session', session_id.slice(0, 8))).toBe(0)
    expect(second.stdout).toBe('Two.\n')
    expect(JSON.stringify(asked()[1]?.messages)).toContain('remember')
  })

  it('sets the effort of a new session and of one that goes on, and of nothing that it does not know', async () => {
    const asked = answers('One.', 'Two.')
    const effortOf = async (id: string) => (await host.page.getSession({ params: { id } })).effort
    const first = host.terminal({ isTTY: false })
    expect(await first.run('run', 'go', '--json', '--effort', 'low')).toBe(0)
    const { session_id } = JSON.parse(first.stdout.trimEnd().split('\n').at(-1) ?? '')
    expect(await effortOf(session_id)).toBe('low')
    expect(
      await host.terminal({ isTTY: false }).run('run', 'on', '--session', session_id, '--effort', 'high'),
    ).toBe(0)
    expect(await effortOf(session_id)).toBe('high')
    const wrong = host.terminal({ isTTY: false })
    expect(await wrong.run('run', 'go', '--effort', 'utmost')).toBe(2)
    expect(wrong.stderr).toContain('low, medium, high, xhigh, max')
    expect(asked()).toHaveLength(2)
  })

  it('needs a code for a mode that asks less', async () => {
    const asked = answers('Hi.')
    const terminal = host.terminal({ isTTY: false })
    expect(await terminal.run('run', 'go', '--permission-mode', 'acceptEdits')).toBe(1)
    expect(terminal.stderr).toContain('--code')
    const code = (await host.server.pairingCode()).code
    expect(
      await host
        .terminal({ isTTY: false, input: `${code}\nand the prompt` })
        .run('run', '--permission-mode', 'acceptEdits', '--code', '-'),
    ).toBe(0)
    expect(asked().at(-1)?.lastUserText).toBe('and the prompt')
  })

  it('refuses a code on the command line, where others can read it, and does not repeat it', async () => {
    const asked = answers()
    const { code } = await host.server.pairingCode()
    const terminal = host.terminal({ isTTY: false })
    expect(await terminal.run('run', 'go', '--code', code)).toBe(2)
    expect(terminal.stderr).toContain('every program on this machine (agents too) can read it')
    expect(terminal.stderr).toContain('--code -')
    expect(terminal.screen).not.toContain(code)
    const empty = host.terminal({ isTTY: false, input: '\n' })
    expect(await empty.run('run', 'go', '--code', '-')).toBe(2)
    expect(asked()).toEqual([])
  })

  it('asks for a code to go on with a session in which a person is asked less', async () => {
    answers('Hi.')
    const { session: asksLess } = await host.page.createSession({ body: { permission_mode: 'acceptEdits' } })
    const refused = host.terminal({ isTTY: false })
    expect(await refused.run('run', 'go', '--session', asksLess.id)).toBe(1)
    expect(refused.stderr).toContain('acceptEdits')
    const terminal = host.terminal()
    const exit = terminal.run('run', 'go', '--session', asksLess.id)
    await terminal.shown(/Code \(Enter to skip\) > /)
    terminal.type((await host.server.pairingCode()).code)
    expect(await exit).toBe(0)
    expect(terminal.stdout).toContain('Hi.')
  })
})
