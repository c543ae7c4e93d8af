/** The gateway behind the real CLI: what it asks, what it takes for an answer, and what reaches the model. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Approval, type ApprovalAnswer, say } from '@dorkos/shared'
import { type Offline, realCliPath, type Script, type Step, startOffline, toolUse } from '@dorkos/testkit'
import {
  type AgentOptions,
  ClaudeCodeAgent,
  createSdkMcpServer,
  type PermissionMode,
  type PermissionResult,
  type Session,
  tool,
} from 'claude-code-agent'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionPermissions } from '../src/core/permissions/session-permissions.ts'
import { owner } from './support/actors.ts'
import { type GatewayFixture, openGateway } from './support/gateway-fixture.ts'

const modes = ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const

function dorkosServer(ran: string[]) {
  const named = (name: string) =>
    tool({
      name,
      description: name,
      inputSchema: {},
      handler: () => {
        ran.push(name)
        return `${name} ran`
      },
    })
  return createSdkMcpServer({ name: 'dorkos', tools: [named('set_config'), named('ping')] })
}

/** The handlers as options of the SDK. */
function asOptions(permissions: () => SessionPermissions): AgentOptions {
  return {
    canUseTool: async (name, input, { toolUseId, decisionReason, signal }): Promise<PermissionResult> => {
      const question = {
        toolCallId: toolUseId,
        tool: name,
        input,
        reason: decisionReason,
        agentId: undefined,
        commandRule: undefined,
        signal,
      }
      const answer = await permissions().onPermission(question)
      if (answer.behavior === 'deny') return answer
      const { updatedInput, permissionMode: mode } = answer
      return {
        behavior: 'allow',
        updatedInput,
        ...(mode && { updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }] }),
      }
    },
    hooks: {
      PreToolUse: [
        {
          onFailure: 'block',
          hooks: [
            async (input, id, { signal }) => {
              const verdict = await permissions().onToolCall({
                toolCallId: id ?? '',
                tool: input.tool_name ?? '',
                input: input.tool_input ?? {},
                permissionMode: input.permission_mode ?? '',
                agentId: undefined,
                hookInput: input,
                signal,
              })
              if (verdict.verdict === 'pass') return {}
              const reason = verdict.verdict === 'deny' ? verdict.message : (verdict.reason ?? '')
              return {
                hookSpecificOutput: {
                  hookEventName: 'PreToolUse',
                  permissionDecision: verdict.verdict,
                  permissionDecisionReason: reason,
                },
              }
            },
          ],
        },
      ],
    },
  }
}

interface Run {
  fixture: GatewayFixture
  approvals: Approval[]
  /** What the model got for its calls. */
  replies: { text: string; isError: boolean }[]
  /** The tools of `dorkos` that ran. */
  ran: string[]
}

/** A process of the CLI that asks the gateway of whichever case runs. */
class Cli implements AsyncDisposable {
  permissions: SessionPermissions | undefined
  readonly ran: string[] = []
  readonly offline: Offline
  readonly #agent: ClaudeCodeAgent
  #session: Session | undefined

  private constructor(offline: Offline) {
    this.offline = offline
    this.#agent = new ClaudeCodeAgent({
      settingSources: [],
      cliPath: realCliPath(),
      env: offline.overlay,
      cwd: offline.cwd,
      mcpServers: { dorkos: dorkosServer(this.ran) },
      allowDangerouslySkipPermissions: true,
      onWarning: () => {},
      ...asOptions(() => this.#current()),
    })
  }

  static async start(script: Script): Promise<Cli> {
    const cli = new Cli(await startOffline(script, { sandbox: true }))
    const session = await cli.#agent.startSession({ keepAlive: true })
    session.on('toolResult', ({ toolUseId, toolName, isError }) =>
      cli.#current().onToolFinished({ toolCallId: toolUseId, tool: toolName ?? '', isError }),
    )
    cli.#session = session
    return cli
  }

  #current(): SessionPermissions {
    if (!this.permissions) throw new Error('no case runs')
    return this.permissions
  }

  /** One turn in this mode. */
  async turn(mode: PermissionMode): Promise<void> {
    const session = this.#session as Session
    await session.setPermissionMode(mode)
    const ended = new Promise<void>((resolve) => {
      const stop = session.on('stateChange', ({ to }) => {
        if (to !== 'idle') return
        stop()
        resolve()
      })
    })
    await session.send('go')
    await ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close()
    await this.offline.dispose()
  }
}

let shared: Cli
beforeAll(async () => {
  shared = await Cli.start([])
})
afterAll(async () => {
  await shared?.[Symbol.asyncDispose]()
})

/** Runs one turn on a gateway of its own; each approval is answered by `answer`. */
async function run(
  steps: (fixture: GatewayFixture) => Step[],
  mode: PermissionMode,
  answer: (approval: Approval) => ApprovalAnswer | Promise<ApprovalAnswer>,
  check: (run: Run) => unknown,
  cli = shared,
): Promise<void> {
  await using fixture = await openGateway()
  const approvals: Approval[] = []
  const { emit } = fixture.session
  const permissions = fixture.gateway.openFor({
    ...fixture.session,
    emit(event) {
      emit(event)
      if (!('approval' in event)) return
      approvals.push(event.approval)
      void (async () =>
        fixture.gateway.approvals.answer(owner(), event.approval.id, await answer(event.approval)))()
    },
  })
  const { model } = cli.offline
  cli.permissions = permissions
  cli.ran.length = 0
  const before = model.requests.length
  model.push(...steps(fixture))
  await cli.turn(mode)
  await permissions.close(say('cli_words', { text: 'done' }))
  expect(model.problems).toEqual([])
  const replies = model.requests
    .slice(before)
    .flatMap(({ toolResults }) => toolResults.map(({ text, isError }) => ({ text, isError })))
  await check({ fixture, approvals, replies, ran: [...cli.ran] })
}

const yes: ApprovalAnswer = { decision: 'allow', scope: 'once' }
const never = () => {
  throw new Error('nobody was to be asked')
}

describe('a question of the agent', () => {
  const questions = [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'r' },
        { label: 'Blue', description: 'b' },
      ],
    },
    {
      question: 'Which sizes?',
      header: 'Sizes',
      multiSelect: true,
      options: [
        { label: 'S', description: 's' },
        { label: 'L', description: 'l' },
      ],
    },
  ]
  const script = () => [toolUse('AskUserQuestion', { questions }), 'thanks']

  it('is answered by the text of each question, in every mode', async () => {
    for (const permissionMode of ['default', 'bypassPermissions'] as const) {
      const answers = { 'Which colour?': 'Blue', 'Which sizes?': ['S', 'L'] }
      await run(
        script,
        permissionMode,
        () => ({ ...yes, answers }),
        ({ approvals, replies }) => {
          expect(approvals.map(({ kind }) => kind)).toEqual(['question'])
          expect(replies).toEqual([
            {
              text: expect.stringContaining('"Which colour?"="Blue", "Which sizes?"="S, L"'),
              isError: false,
            },
          ])
        },
      )
    }
  })

  it('may be declined, and the model reads why', async () => {
    await run(
      script,
      'default',
      () => ({ decision: 'deny', message: 'Decide it yourself.' }),
      ({ replies }) => {
        expect(replies).toEqual([{ text: 'Decide it yourself.', isError: true }])
      },
    )
  })
})

describe('a plan', () => {
  /** The CLI keeps the plan in a file that it names to the model, one for each session. */
  const script: Script = (request) => {
    const file = /[^\s"\\]*\.claude\/plans\/[^\s"\\]*\.md/.exec(JSON.stringify(request.body))?.[0]
    const [result] = request.toolResults
    if (!result) return toolUse('Write', { file_path: file, content: '# The plan' })
    return result.text.startsWith('File created') ? toolUse('ExitPlanMode', {}) : 'I see.'
  }

  it('comes with its text, can be edited, and says in which mode to go on', async () => {
    const answer = (): ApprovalAnswer => ({
      ...yes,
      permission_mode: 'acceptEdits',
      updated_input: { plan: '# Another plan' },
    })
    const check = ({ approvals, replies }: Run) => {
      expect(approvals).toMatchObject([{ kind: 'plan', input: { plan: '# The plan' } }])
      expect(replies.at(-1)?.text).toContain('(edited by user):\n# Another plan')
    }
    await using cli = await Cli.start(script)
    await run(() => [], 'plan', answer, check, cli)
  })

  it('can be sent back', async () => {
    const answer = (): ApprovalAnswer => ({ decision: 'deny', message: 'Smaller, please.' })
    const check = ({ replies }: Run) =>
      expect(replies.at(-1)).toEqual({ text: 'Smaller, please.', isError: true })
    await using cli = await Cli.start(script)
    await run(() => [], 'plan', answer, check, cli)
  })
})

describe('tools of DorkOS', () => {
  const calls = () => [toolUse('mcp__dorkos__set_config', {}), toolUse('mcp__dorkos__ping', {}), 'done']

  it.each(modes)(
    'ask before set_config in %s, and before ping where little runs unasked',
    async (permissionMode) => {
      await run(
        calls,
        permissionMode,
        () => yes,
        ({ approvals, ran }) => {
          const asks = permissionMode === 'default' || permissionMode === 'plan'
          const expected = ['mcp__dorkos__set_config', ...(asks ? ['mcp__dorkos__ping'] : [])]
          expect(approvals.map(({ tool }) => tool)).toEqual(expected)
          expect(ran).toEqual(['set_config', 'ping'])
        },
      )
    },
  )

  it.each(['acceptEdits', 'bypassPermissions'] as const)(
    'do not run in %s when a person says no',
    async (permissionMode) => {
      const no: ApprovalAnswer = { decision: 'deny', message: 'Leave it.' }
      await run(
        () => [toolUse('mcp__dorkos__set_config', {}), 'done'],
        permissionMode,
        () => no,
        ({ replies, ran }) => {
          expect(replies).toEqual([{ text: expect.stringContaining('Leave it.'), isError: true }])
          expect(ran).toEqual([])
        },
      )
    },
  )
})

describe('in every mode', () => {
  it.each(modes)(
    '%s: a deny rule holds, the state folder is closed, and all is in the audit log',
    async (permissionMode) => {
      const script = (fixture: GatewayFixture) => {
        fixture.config.rules = [{ effect: 'deny', tool: 'Bash', match: '*forbidden*' }]
        writeFileSync(join(fixture.stateFolder, 'config.jsonc'), '{}')
        return [
          toolUse('Bash', { command: 'echo forbidden > x' }),
          toolUse('Read', { file_path: join(fixture.stateFolder, 'config.jsonc') }),
          'done',
        ]
      }
      await run(script, permissionMode, never, async ({ fixture, replies, approvals }) => {
        expect(approvals).toEqual([])
        expect(replies).toEqual([
          { text: expect.stringContaining('A rule of the owner denies this call'), isError: true },
          { text: expect.stringContaining('keeps its state'), isError: true },
        ])
        const log = (await fixture.auditEntries()).map(
          ({ action, tool, decision, decided_by, permission_mode }) =>
            [permission_mode, tool, action, decision, decided_by?.kind].filter(Boolean).join(' '),
        )
        expect(log).toEqual([
          `${permissionMode} Bash tool_requested`,
          `${permissionMode} Bash tool_decided deny rule`,
          `${permissionMode} Read tool_requested`,
          `${permissionMode} Read tool_decided deny server`,
        ])
      })
    },
  )

  it('what the CLI runs by itself is in the audit log too', async () => {
    const script = () => [toolUse('Bash', { command: 'echo hello' }), 'done']
    for (const [permissionMode, by] of [
      ['default', 'cli'],
      ['bypassPermissions', 'mode'],
    ] as const)
      await run(script, permissionMode, never, async ({ fixture }) => {
        const entries = await fixture.auditEntries()
        expect(entries.map(({ action }) => action)).toEqual([
          'tool_requested',
          'tool_decided',
          'tool_finished',
        ])
        expect(entries[1]).toMatchObject({ decision: 'allow', decided_by: { kind: by } })
      })
  })

  it('an edited command runs in place of the one that was asked about', async () => {
    const answer = (): ApprovalAnswer => ({ ...yes, updated_input: { command: 'echo edited | tee x' } })
    await run(
      () => [toolUse('Bash', { command: 'echo asked | tee x' }), 'done'],
      'default',
      answer,
      ({ replies }) => {
        expect(replies).toEqual([{ text: 'edited', isError: false }])
      },
    )
  })
})
