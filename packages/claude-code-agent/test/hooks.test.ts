import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type {
  AgentOptions,
  HookCallback,
  HookConfigurations,
  HookEvent,
  HookInput,
  HookMatcher,
  PreToolUseOutput,
  SyncHookOutput,
} from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { recordingHooks } from './support/recording-hooks.ts'
import { runTurn, type TurnRun } from './support/run-turn.ts'

const bash = (command: string) => toolUse('Bash', { command, description: 'runs it' })
const touch = bash('touch made.txt')
const bypass = { permissionMode: 'bypassPermissions' } as const
const asRoot = { sandbox: true }

/** What a PreToolUse hook answers. */
const decide = (
  permissionDecision: NonNullable<PreToolUseOutput['permissionDecision']>,
  more: Partial<PreToolUseOutput> = {},
): SyncHookOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more },
})

/** One Bash call that makes a file, with these PreToolUse hooks. */
const withPreToolUse = (matcher: HookMatcher, options: AgentOptions, check: (run: TurnRun) => unknown) =>
  runTurn([touch, 'done'], { hooks: { PreToolUse: [matcher] }, ...options }, check)

const made = ({ run }: TurnRun) => existsSync(join(run.cwd, 'made.txt'))

describe('PreToolUse', () => {
  it('sees the call, in bypassPermissions too, and without an opinion lets it run', async () => {
    const seen: { input: HookInput; toolUseId: string | undefined }[] = []
    const hook: HookCallback = (input, toolUseId) => {
      seen.push({ input, toolUseId })
      return {}
    }
    const script = [toolUse('Bash', { command: 'touch made.txt', description: 'x' }, 'toolu_42'), 'done']
    await runTurn(script, { ...bypass, hooks: { PreToolUse: [{ hooks: [hook] }] } }, (run) => {
      expect(made(run)).toBe(true)
      expect(seen).toMatchObject([
        {
          toolUseId: 'toolu_42',
          input: {
            hook_event_name: 'PreToolUse',
            tool_name: 'Bash',
            tool_input: { command: 'touch made.txt' },
            tool_use_id: 'toolu_42',
            permission_mode: 'bypassPermissions',
            cwd: run.run.cwd,
          },
        },
      ])
      expect(seen[0]?.input.synthetic).toBeUndefined()
    })
  })

  it('allows: nobody else is asked', async () => {
    let asked = 0
    const canUseTool = () => {
      asked++
      return { behavior: 'deny' as const, message: 'no' }
    }
    await withPreToolUse({ hooks: [() => decide('allow')] }, { canUseTool }, (run) => {
      expect(made(run)).toBe(true)
      expect(asked).toBe(0)
    })
  })

  it('denies with a reason that the model is told, in bypassPermissions too', async () => {
    const hook = () => decide('deny', { permissionDecisionReason: 'Not in this house.' })
    await withPreToolUse({ hooks: [hook] }, bypass, (run) => {
      expect(made(run)).toBe(false)
      expect(run.told).toEqual([{ text: expect.stringContaining('Not in this house.'), isError: true }])
    })
  })

  it('changes the input', async () => {
    const hook = () => decide('allow', { updatedInput: { command: 'touch other.txt' } })
    await withPreToolUse({ hooks: [hook] }, {}, (run) => {
      expect(made(run)).toBe(false)
      expect(existsSync(join(run.run.cwd, 'other.txt'))).toBe(true)
    })
  })

  it.each<[string, AgentOptions]>([
    ['bypassPermissions', bypass],
    ['dontAsk', { permissionMode: 'dontAsk' }],
    ['with the tool allowed', { allowedTools: ['Bash'] }],
  ])('that answers ask reaches canUseTool: %s', async (_, options) => {
    const asked: string[] = []
    const canUseTool = (name: string) => {
      asked.push(name)
      return { behavior: 'deny' as const, message: 'asked and denied' }
    }
    await withPreToolUse({ hooks: [() => decide('ask')] }, { ...options, canUseTool }, (run) => {
      expect(asked).toEqual(['Bash'])
      expect(run.told).toEqual([{ text: 'asked and denied', isError: true }])
      expect(made(run)).toBe(false)
      expect(run.run.warnings).toEqual([])
    })
  })

  it('is called for the tools that its matcher names', async () => {
    const called: string[] = []
    const matchers = ['Bash', 'Write|Edit', 'Write, Bash', 'Ba', 'bash', '^Wr', undefined].map((matcher) => ({
      ...(matcher !== undefined && { matcher }),
      hooks: [
        (input: HookInput) => {
          called.push(`${matcher}: ${input.tool_name}`)
          return {}
        },
      ],
    }))
    await using run = await startOfflineAgent([], { ...bypass, hooks: { PreToolUse: matchers } }, asRoot)
    run.model.push(touch, toolUse('Write', { file_path: join(run.cwd, 'a'), content: 'x' }), 'done')
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    expect(called.sort()).toEqual(
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
    let signal: AbortSignal | undefined
    const hook: HookCallback = (_, __, context) => {
      signal = context.signal
      return new Promise(() => {})
    }
    await withPreToolUse({ hooks: [hook], timeout: 1 }, bypass, (run) => {
      expect(made(run)).toBe(false)
      expect(run.told).toEqual([{ text: expect.stringContaining('timeout'), isError: true }])
      expect(signal?.aborted).toBe(true)
    })
  })

  it('that is async lets the agent go on at once', async () => {
    let finish: () => void = () => {}
    let finished = false
    const work = new Promise<void>((resolve) => {
      finish = resolve
    }).then(() => {
      finished = true
    })
    await withPreToolUse({ hooks: [() => ({ async: true, asyncTimeout: 60 })] }, bypass, async (run) => {
      expect(made(run)).toBe(true)
      expect(finished).toBe(false)
      finish()
      await work
    })
  })

  it.each<[string, Partial<HookMatcher>, boolean]>([
    ['lets the tool run', {}, true],
    ['lets the tool run with onFailure continue', { onFailure: 'continue' }, true],
    ['blocks the tool with onFailure block', { onFailure: 'block' }, false],
  ])('that throws %s', async (_, matcher, runs) => {
    const hook = () => {
      throw new Error('broken hook')
    }
    await withPreToolUse({ ...matcher, hooks: [hook] }, bypass, (run) => {
      expect(made(run)).toBe(runs)
      expect(run.told).toMatchObject([{ isError: !runs }])
      expect(run.messages).toContainEqual(
        expect.objectContaining({ raw: expect.objectContaining({ tag: 'hook_callback_failed' }) }),
      )
    })
  })

  it('has its signal aborted by an interrupt', async () => {
    let called: (signal: AbortSignal) => void = () => {}
    const reached = new Promise<AbortSignal>((resolve) => {
      called = resolve
    })
    const hook: HookCallback = (_, __, { signal }) => {
      called(signal)
      return new Promise(() => {})
    }
    const hooks: HookConfigurations = { PreToolUse: [{ hooks: [hook] }] }
    await using run = await startOfflineAgent([touch, 'second'], { ...bypass, hooks }, asRoot)
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    const outcome = nextTurn(session)
    const signal = await reached
    expect(signal.aborted).toBe(false)
    await session.interrupt()
    expect(signal.aborted).toBe(true)
    expect(await outcome).toBe('interrupted')
    await untilState(session, 'idle')
    expect(existsSync(join(run.cwd, 'made.txt'))).toBe(false)
  })
})

describe('other hooks of a turn', () => {
  it('UserPromptSubmit adds context that reaches the model', async () => {
    const prompts: unknown[] = []
    const hook: HookCallback = (input) => {
      prompts.push(input.prompt)
      const additionalContext = 'The magic word is xyzzy.'
      return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext } }
    }
    await runTurn(['done'], { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }, async ({ run }) => {
      expect(prompts).toEqual(['go'])
      expect((await run.model.waitForRequest(1)).newText).toContain('The magic word is xyzzy.')
    })
  })

  it('UserPromptSubmit blocks the prompt: the model never sees it', async () => {
    const hook: HookCallback = () => ({ decision: 'block', reason: 'Not today.' })
    await runTurn([], { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }, ({ run, result }) => {
      expect(run.model.requests.filter(({ kind }) => kind !== 'side')).toEqual([])
      expect(result).toMatchObject({
        type: 'result',
        content: expect.stringContaining('Not today.'),
      })
    })
  })

  it('PostToolUse sees what the tool returned and adds context to it', async () => {
    const seen: HookInput[] = []
    const hook: HookCallback = (input) => {
      seen.push(input)
      return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'Mind the gap.' } }
    }
    const hooks: HookConfigurations = { PostToolUse: [{ matcher: 'Bash', hooks: [hook] }] }
    await runTurn([bash('echo from the shell'), 'done'], { ...bypass, hooks }, async ({ run }) => {
      expect(seen).toMatchObject([
        { tool_name: 'Bash', tool_response: { stdout: 'from the shell' }, tool_use_id: expect.any(String) },
      ])
      expect((await run.model.waitForRequest(2)).newText).toContain('Mind the gap.')
    })
  })

  it('Stop blocks once: the agent goes on with the reason, and then stops', async () => {
    const active: unknown[] = []
    const hook: HookCallback = (input) => {
      active.push(input.stop_hook_active)
      return input.stop_hook_active ? {} : { decision: 'block', reason: 'Say goodbye first.' }
    }
    await runTurn(['done', 'goodbye'], { hooks: { Stop: [{ hooks: [hook] }] } }, async ({ run, result }) => {
      expect(active).toEqual([false, true])
      expect((await run.model.waitForRequest(2)).newText).toContain('Say goodbye first.')
      expect(result).toMatchObject({ type: 'result', outcome: 'completed', content: 'goodbye' })
    })
  })

  it('run in their order', async () => {
    const order: string[] = []
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
    const script = [touch, bash('exit 3'), 'done']
    const canUseTool = () => ({ behavior: 'allow' as const })
    await runTurn(script, { canUseTool, hooks: recordingHooks(events, order) }, () => {
      const call = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolBatch']
      const failing = ['PreToolUse', 'PermissionRequest', 'PostToolUseFailure', 'PostToolBatch']
      expect(order).toEqual(['UserPromptSubmit', ...call, ...failing, 'MessageDisplay', 'Stop'])
    })
  })
})
