import { ApiError, type Approval, type Session, type SessionSnapshot, scopes } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { FakeTerminal } from '../../test/support/fake-terminal.ts'
import { CliError } from '../cli-error.ts'
import type { Connection } from '../connect.ts'
import { Rights } from '../rights.ts'
import { createStyle } from '../terminal/style.ts'
import { ApprovalAnswers } from './approval-answers.ts'
import { chatLoop } from './chat-loop.ts'
import { PromptTurn } from './prompt-turn.ts'
import type { TerminalView } from './terminal-view.ts'
import { withRights } from './with-rights.ts'

const hostile = 'no\x1b[2J\u202e'
const shown = 'no\\u{1b}[2J\\u{202e}'
const refusal = (status = 403, code: 'forbidden' | 'conflict' = 'forbidden') =>
  new ApiError(code, status, hostile)
const id = '00000000-0000-4000-8000-000000000000'

function listening() {
  let notified = ''
  let heard: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    heard = resolve
  })
  const notify = (text: string) => {
    notified += text
    if (text.includes('no')) heard()
  }
  return { notify, first, notified: () => notified }
}

function clean(text: string): void {
  expect(text).toContain(shown)
  expect(text).not.toContain('\x1b')
  expect(text).not.toContain('\u202e')
}

const rights = () =>
  new Rights({ url: 'http://127.0.0.1:9', token: () => undefined, scopes: [], isIssued: false })

it('a refusal is escaped before a code is asked for', async () => {
  const { notify, notified } = listening()
  const work = withRights(rights(), { asker: undefined, notify }, () => Promise.reject(refusal()))
  await expect(work).rejects.toBeInstanceOf(CliError)
  clean(notified())
})

it('what the server says to a code is escaped', async () => {
  const { notify, notified } = listening()
  const own = rights()
  own.redeem = () => Promise.reject(new CliError(hostile))
  const lines = ['ABCDE-FGHJK', '']
  await own.askForCode({ asker: { ask: async () => lines.shift() }, notify, purpose: 'x' })
  clean(notified())
})

it.each([refusal(409, 'conflict'), new Error(hostile)])(
  'what it says to an answer is escaped',
  async (error) => {
    const { notify, first, notified } = listening()
    const answers = new ApprovalAnswers({
      client: { answerApproval: () => Promise.reject(error) } as unknown as Connection['client'],
      rights: new Rights({ url: 'http://127.0.0.1:9', token: () => undefined, scopes, isIssued: true }),
      asker: { ask: async () => 'y' },
      notify,
      hold: () => undefined,
      release: () => undefined,
      style: createStyle(false),
      elsewhere: '',
    })
    answers.offer({
      id: 'appr_0123456789',
      kind: 'tool',
      session_id: id,
      principal: 'owner',
      tool: 'Bash',
      input: { command: 'ls' },
      input_hash: 'x',
      risk: 'execute',
      state: 'pending',
      created_at: '2026-01-01T00:00:00.000Z',
      deadline: '2026-01-01T04:00:00.000Z',
    } satisfies Approval)
    await first
    clean(notified())
  },
)

it('what it says to an interrupt is escaped', async () => {
  const { notify, first, notified } = listening()
  const connection = {
    client: { interruptSession: () => Promise.reject(refusal()) },
    rights: rights(),
    url: 'http://127.0.0.1:9',
  } as unknown as Connection
  const view = { notify, style: createStyle(false), asker: undefined } as unknown as TerminalView
  const turn = new PromptTurn({
    connection,
    view,
    sessionId: id,
    unattended: false,
    onEvent: () => undefined,
  })
  turn.interrupt()
  await first
  clean(notified())
})

it('what it says in a chat is escaped', async () => {
  const snapshot = { approvals: [], queue: [], turn: [] } as unknown as SessionSnapshot
  const connection = {
    client: {
      async *followSession(_id: string, { signal }: { signal: AbortSignal }) {
        yield { frame: 'snapshot', snapshot }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
      changeSession: () => Promise.reject(refusal(409, 'conflict')),
    },
    rights: rights(),
    url: 'http://127.0.0.1:9',
  } as unknown as Connection
  const terminal = new FakeTerminal({ env: {}, cwd: '/' })
  const left = chatLoop(terminal.context, { connection, session: { id } as Session, history: 0 })
  await terminal.shown(/> /)
  terminal.type('/model opus')
  await terminal.shown(/no.*2J/)
  terminal.type('/quit')
  await left
  expect(terminal.screen).toContain(shown)
  expect(terminal.screen).not.toContain(hostile)
})
