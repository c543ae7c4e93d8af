import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type CanUseToolCallback,
  createSdkMcpServer,
  type HookCallback,
  type HookConfigurations,
  type HookEvent,
  type HookInput,
  type HookMatcher,
  type PreToolUseOutput,
  type SyncHookOutput,
  tool,
} from '../src/index.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { recordingHooks } from './support/recording-hooks.ts'
import { sharedSession } from './support/shared-session.ts'

const bash = (command: string, id?: string) => toolUse('Bash', { command, description: 'runs it' }, id)
const touch = (name: string) => bash(`touch ${name}`)
const made = (name: string) => existsSync(join(shared.cwd, name))

/** What a PreToolUse hook answers. */
const decide = (
  permissionDecision: NonNullable<PreToolUseOutput['permissionDecision']>,
  more: Partial<PreToolUseOutput> = {},
): SyncHookOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
})

const events: HookEvent[] = [
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'MessageDisplay',
  'Stop',
]
/** Who answers in the case that runs; nobody else has an opinion. */
let answering: Partial<Record<HookEvent, HookCallback>> = {}
let canUseTool: CanUseToolCallback = () => ({ behavior: 'allow' })
/** What was called in the case that runs: the events in their order, and the matchers of PreToolUse with their tool. */
const order: string[] = []
const matched: string[] = []

const matchers = ['Bash', 'Write|Edit', 'Write, Bash', 'Ba', 'bash', '^Wr', undefined].map((matcher) => ({
  ...(matcher !== undefined && { matcher }),
  hooks: [
    (input: HookInput) => {
      matched.push(`${matcher}: ${input.tool_name}`)
      return {}
    },
  ],
}))
const broken = () => {
  throw new Error('broken hook')
}
let late: AbortSignal | undefined
/** Matchers that need settings of their own get a tool of their own. */
const special: HookMatcher[] = [
  {
    matcher: 'mcp__own__late',
    timeout: 1,
    hooks: [
      (_, __, { signal }) => {
        late = signal
        return new Promise(() => {})
      },
    ],
  },
  { matcher: 'mcp__own__plain', hooks: [broken] },
  { matcher: 'mcp__own__continue', onFailure: 'continue', hooks: [broken] },
  { matcher: 'mcp__own__block', onFailure: 'block', hooks: [broken] },
]
const ran: string[] = []
const own = createSdkMcpServer({
  name: 'own',
  tools: ['late', 'plain', 'continue', 'block'].map((name) =>
    tool({
      name,
      description: `The tool ${name}`,
      inputSchema: {},
      handler: () => {
        ran.push(name)
        return 'ran'
      },
    }),
  ),
})

const hooks: HookConfigurations = Object.fromEntries(
  events.map((event) => [
    event,
    [
      ...(recordingHooks([event], order)[event] ?? []),
      { hooks: [(...call: Parameters<HookCallback>) => answering[event]?.(...call) ?? {}] },
    ],
  ]),
)
hooks.PreToolUse?.push(...matchers, ...special)

const shared = sharedSession(
  {
    permissionMode: 'bypassPermissions',
    hooks,
    mcpServers: { own },
    canUseTool: (...asked) => canUseTool(...asked),
  },
  { sandbox: true },
)

beforeEach(async () => {
  answering = {}
  canUseTool = () => ({ behavior: 'allow' })
  for (const list of [order, matched, ran]) list.length = 0
  await shared.session.setPermissionMode('bypassPermissions')
})

describe('PreToolUse', () => {
  it('sees the call, in bypassPermissions too, and without an opinion lets it run', async () => {
    const seen: { input: HookInput; toolUseId: string | undefined }[] = []
    answering.PreToolUse = (input, toolUseId) => {
      seen.push({ input, toolUseId })
      return {}
    }
    await shared.turn([bash('touch seen.txt', 'toolu_42'), 'done'])
    expect(made('seen.txt')).toBe(true)
    expect(seen).toMatchObject([
      {
        toolUseId: 'toolu_42',
        input: {
          hook_event_name: 'PreToolUse',
          tool_name: 'Bash',
          tool_input: { command: 'touch seen.txt' },
          tool_use_id: 'toolu_42',
          permission_mode: 'bypassPermissions',
          cwd: shared.cwd,
        },
      },
    ])
    expect(seen[0]?.input.synthetic).toBeUndefined()
  })

  it('allows: nobody else is asked', async () => {
    let asked = 0
    canUseTool = () => {
      asked++
      return { behavior: 'deny', message: 'no' }
    }
    answering.PreToolUse = () => decide('allow')
    await shared.session.setPermissionMode('default')
    await shared.turn([touch('allowed.txt'), 'done'])
    expect(made('allowed.txt')).toBe(true)
    expect(asked).toBe(0)
  })

  it('denies with a reason that the model gets, in bypassPermissions too', async () => {
    answering.PreToolUse = () => decide('deny', { permissionDecisionReason: 'Not in this house.' })
    const { toolResults } = await shared.turn([touch('denied.txt'), 'done'])
    expect(made('denied.txt')).toBe(false)
    expect(toolResults).toEqual([{ text: expect.stringContaining('Not in this house.'), isError: true }])
  })

  it('changes the input', async () => {
    answering.PreToolUse = () => decide('allow', { updatedInput: { command: 'touch other.txt' } })
    await shared.session.setPermissionMode('default')
    await shared.turn([touch('wanted.txt'), 'done'])
    expect(made('wanted.txt')).toBe(false)
    expect(made('other.txt')).toBe(true)
  })

  it.each(['bypassPermissions', 'dontAsk'] as const)(
    'that answers ask reaches canUseTool: %s',
    async (mode) => {
      const asked: string[] = []
      canUseTool = (name) => {
        asked.push(name)
        return { behavior: 'deny', message: 'asked and denied' }
      }
      answering.PreToolUse = () => decide('ask')
      await shared.session.setPermissionMode(mode)
      const { toolResults } = await shared.turn([touch(`asked-in-${mode}.txt`), 'done'])
      expect(asked).toEqual(['Bash'])
      expect(toolResults).toEqual([{ text: 'asked and denied', isError: true }])
      expect(made(`asked-in-${mode}.txt`)).toBe(false)
      expect(shared.run.warnings).toEqual([])
    },
  )

  it('that answers ask reaches canUseTool: with the tool allowed', async () => {
    const asked: string[] = []
    await using run = await startOfflineAgent([bash('touch made.txt'), 'done'], {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [() => decide('ask')] }] },
      canUseTool: (name) => {
        asked.push(name)
        return { behavior: 'deny', message: 'asked and denied' }
      },
    })
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    expect(asked).toEqual(['Bash'])
    expect((await run.model.waitForRequest(2)).toolResults).toMatchObject([
      { text: 'asked and denied', isError: true },
    ])
    expect(existsSync(join(run.cwd, 'made.txt'))).toBe(false)
    expect(run.warnings).toEqual([])
  })

  it('is called for the tools that its matcher names', async () => {
    const file_path = join(shared.cwd, 'matched.txt')
    await shared.turn([bash('true'), toolUse('Write', { file_path, content: 'x' }), 'done'])
    expect(matched.sort()).toEqual(
      [
        'Bash: Bash',
        'Write, Bash: Bash',
        'undefined: Bash',
        'Write|Edit: Write',
        'Write, Bash: Write',
        '^Wr: Write',
        'undefined: Write',
      ].sort(),
    )
  })

  it('past its timeout, in seconds, denies the tool and has its signal aborted', async () => {
    const { toolResults } = await shared.turn([toolUse('mcp__own__late'), 'done'])
    expect(ran).toEqual([])
    expect(toolResults).toEqual([{ text: expect.stringContaining('timeout'), isError: true }])
    expect(late?.aborted).toBe(true)
  })

  it('that is async lets the agent go on at once', async () => {
    answering.PreToolUse = () => ({ async: true, asyncTimeout: 60 })
    expect((await shared.turn([touch('at-once.txt'), 'done'])).outcome).toBe('completed')
    expect(made('at-once.txt')).toBe(true)
  })

  it.each([
    ['lets the tool run', 'plain', true],
    ['lets the tool run with onFailure continue', 'continue', true],
    ['blocks the tool with onFailure block', 'block', false],
  ])('that throws %s', async (_, name, runs) => {
    const { toolResults, messages } = await shared.turn([toolUse(`mcp__own__${name}`), 'done'])
    expect(ran).toEqual(runs ? [name] : [])
    expect(toolResults).toMatchObject([{ isError: !runs }])
    expect(messages).toContainEqual(
      expect.objectContaining({ raw: expect.objectContaining({ tag: 'hook_callback_failed' }) }),
    )
  })

  it('has its signal aborted by an interrupt', async () => {
    const reached = new Promise<AbortSignal>((resolve) => {
      answering.PreToolUse = (_, __, { signal }) => {
        resolve(signal)
        return new Promise(() => {})
      }
    })
    const turn = shared.turn([touch('interrupted.txt')])
    const signal = await reached
    expect(signal.aborted).toBe(false)
    await shared.session.interrupt()
    expect(signal.aborted).toBe(true)
    expect((await turn).outcome).toBe('interrupted')
    expect(made('interrupted.txt')).toBe(false)
  })
})

describe('other hooks of a turn', () => {
  it('UserPromptSubmit adds context that reaches the model', async () => {
    const prompts: unknown[] = []
    answering.UserPromptSubmit = (input) => {
      prompts.push(input.prompt)
      const additionalContext = 'The magic word is xyzzy.'
      return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext } }
    }
    const { requests } = await shared.turn(['done'], 'say the word')
    expect(prompts).toEqual(['say the word'])
    expect(requests[0]?.newText).toContain('The magic word is xyzzy.')
  })

  it('UserPromptSubmit blocks the prompt: the model never sees it', async () => {
    answering.UserPromptSubmit = () => ({ decision: 'block', reason: 'Not today.' })
    const { requests, result } = await shared.turn([])
    expect(requests).toEqual([])
    expect(result).toMatchObject({ type: 'result', content: expect.stringContaining('Not today.') })
  })

  it('PostToolUse sees what the tool returned and adds context to it', async () => {
    const seen: HookInput[] = []
    answering.PostToolUse = (input) => {
      seen.push(input)
      return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'Mind the gap.' } }
    }
    const { requests } = await shared.turn([bash('echo from the shell'), 'done'])
    expect(seen).toMatchObject([
      { tool_name: 'Bash', tool_response: { stdout: 'from the shell' }, tool_use_id: expect.any(String) },
    ])
    expect(requests[1]?.newText).toContain('Mind the gap.')
  })

  it('Stop blocks once: the agent goes on with the reason, and then stops', async () => {
    const active: unknown[] = []
    answering.Stop = (input) => {
      active.push(input.stop_hook_active)
      return input.stop_hook_active ? {} : { decision: 'block', reason: 'Say goodbye first.' }
    }
    const { requests, result } = await shared.turn(['done', 'goodbye'])
    expect(active).toEqual([false, true])
    expect(requests[1]?.newText).toContain('Say goodbye first.')
    expect(result).toMatchObject({ type: 'result', outcome: 'completed', content: 'goodbye' })
  })

  it('run in their order', async () => {
    await shared.session.setPermissionMode('default')
    await shared.turn([touch('first.txt'), bash('exit 3'), 'done'])
    const call = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolBatch']
    const failing = ['PreToolUse', 'PermissionRequest', 'PostToolUseFailure', 'PostToolBatch']
    expect(order).toEqual(['UserPromptSubmit', ...call, ...failing, 'MessageDisplay', 'Stop'])
  })
})
