import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiError, type Script, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import {
  type AgentOptions,
  CLINotFoundError,
  ClaudeCodeAgent,
  type HookCallback,
  type HookConfigurations,
  type HookEvent,
  type HookInput,
  type HookMatcher,
  hookEvents,
  InvalidOptionsError,
  type PreToolUseOutput,
  type SessionMessage,
  type SyncHookOutput,
} from '../src/index.ts'
import { collect, nextTurn, untilState } from './support/collect.ts'
import { startFakeAgent } from './support/fake-agent.ts'
import { MemoryTransport } from './support/memory-transport.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'

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

interface Run {
  run: OfflineAgent
  /** What the model was told of its calls, in order. */
  told: { text: string; isError: boolean }[]
  messages: SessionMessage[]
  result: SessionMessage | undefined
}

/** Runs one turn on the real CLI to its end. */
async function runTurn(script: Script, options: AgentOptions, check: (run: Run) => unknown): Promise<void> {
  await using run = await startOfflineAgent(script, options, asRoot)
  const session = await run.agent.startSession({ prompt: 'go' })
  const messages = await collect(session.messages())
  expect(run.model.problems).toEqual([])
  const told = run.model.requests.flatMap(({ toolResults }) =>
    toolResults.map(({ text, isError }) => ({ text, isError })),
  )
  await check({ run, told, messages, result: messages.findLast(({ type }) => type === 'result') })
}

/** One Bash call that makes a file, with these PreToolUse hooks. */
const withPreToolUse = (matcher: HookMatcher, options: AgentOptions, check: (run: Run) => unknown) =>
  runTurn([touch, 'done'], { hooks: { PreToolUse: [matcher] }, ...options }, check)

const made = ({ run }: Run) => existsSync(join(run.cwd, 'made.txt'))

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
    await runTurn(script, { canUseTool, hooks: recording(events, order) }, () => {
      const call = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolBatch']
      const failing = ['PreToolUse', 'PermissionRequest', 'PostToolUseFailure', 'PostToolBatch']
      expect(order).toEqual(['UserPromptSubmit', ...call, ...failing, 'MessageDisplay', 'Stop'])
    })
  })

  it('Elicitation sees what an MCP server asks, and ElicitationResult what was answered', async () => {
    const order: string[] = []
    const asking = { command: process.execPath, args: [support('asking-server.mjs')] }
    const options: AgentOptions = {
      ...bypass,
      mcpServers: { asking },
      hooks: recording(['Elicitation', 'ElicitationResult'], order),
      onElicitation: ({ serverName, message, requestedSchema }) => {
        order.push(`${serverName} asks: ${message} ${Object.keys(requestedSchema?.properties ?? {})}`)
        return { action: 'accept', content: { name: 'Ann' } }
      },
    }
    await using run = await startOfflineAgent([toolUse('mcp__asking__ask'), 'done'], options, asRoot)
    const session = await run.agent.startSession({ prompt: 'go', waitForMcp: true })
    await session.waitForCompletion()
    expect(order).toEqual(['Elicitation', 'asking asks: Your name? name', 'ElicitationResult'])
    const [result] = (await run.model.waitForRequest(2)).toolResults
    expect(JSON.parse(result?.text ?? '')).toEqual({ action: 'accept', content: { name: 'Ann' } })
  })
})

describe('the events', () => {
  it('are those that the CLI knows, and all of them can be configured at once', async () => {
    const seen: string[] = []
    await using run = await startOfflineAgent(['done'], { hooks: recording(hookEvents, seen) })
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    expect(await nextTurn(session)).toBe('completed')
    const { eventCatalog } = await session.control('get_hooks_listing')
    const known = (eventCatalog as { name: string }[]).map(({ name }) => name)
    expect(known.sort()).toEqual([...hookEvents].sort())
    expect(seen).toEqual(expect.arrayContaining(['UserPromptSubmit', 'MessageDisplay', 'Stop']))
  })

  it('around a session are raised by the CLI where it does: clear, compact, instructions, models, commands', async () => {
    const seen: string[] = []
    const events = hookEvents.filter((event) => !event.startsWith('Worktree'))
    await using run = await startOfflineAgent(['one', 'two', 'three', 'four'], {
      settingSources: ['project'],
      hooks: recording(events, seen),
    })
    await mkdir(join(run.cwd, '.claude', 'commands'), { recursive: true })
    await writeFile(join(run.cwd, '.claude', 'commands', 'greet.md'), 'Greet $ARGUMENTS.')
    await writeFile(join(run.cwd, 'CLAUDE.md'), 'Be brief.')
    const session = await run.agent.startSession({ keepAlive: true })
    for (const prompt of ['hello', '/greet Ann', '/compact', '/clear']) {
      const turn = nextTurn(session)
      await session.send(prompt)
      await turn
      await untilState(session, 'idle')
    }
    await session.setModel('claude-opus-4-5')
    await session.close()
    expect(seen).toEqual(
      expect.arrayContaining([
        'InstructionsLoaded',
        'UserPromptExpansion',
        'PreCompact',
        'PostCompact',
        'PreModelSwitch',
        'PostModelSwitch',
      ]),
    )
    const lifecycle = seen.filter((event) => /^Session(Start|End)/.test(event))
    expect(lifecycle[0]).toBe('SessionStart (synthetic)')
    expect(lifecycle.at(-1)).toBe('SessionEnd (synthetic)')
    expect(lifecycle.slice(1, -1)).toEqual(['SessionStart', 'SessionEnd', 'SessionStart'])
  })

  it('of an unknown name are refused with the names that there are', async () => {
    const hooks = { PreToolUsed: [{ hooks: [() => ({})] }] } as HookConfigurations
    const start = async () => {
      await using agent = new ClaudeCodeAgent({ hooks })
      await agent.startSession({ prompt: 'go' })
    }
    await expect(start()).rejects.toThrow(InvalidOptionsError)
    await expect(start()).rejects.toThrow(/'PreToolUsed' is not a hook event.*PreToolUse,/)
  })
})

describe('SessionStart and SessionEnd', () => {
  /** Hooks that keep what they are told, of synthetic events only. */
  function keeping() {
    const raised: HookInput[] = []
    const keep: HookCallback = (input) => {
      raised.push(input)
      return {}
    }
    const hooks: HookConfigurations = { SessionStart: [{ hooks: [keep] }], SessionEnd: [{ hooks: [keep] }] }
    const names = () => raised.map((input) => `${input.hook_event_name} ${input.source ?? input.reason}`)
    return { raised, hooks, names }
  }

  it('are raised once each, marked as synthetic, over several turns', async () => {
    const { raised, hooks, names } = keeping()
    await using run = await startOfflineAgent(['one', 'two'], { hooks })
    const session = await run.agent.startSession({ keepAlive: true })
    for (const prompt of ['first', 'second']) {
      const turn = nextTurn(session)
      await session.send(prompt)
      await turn
      await untilState(session, 'idle')
    }
    expect(names()).toEqual(['SessionStart startup'])
    await session.close()
    await session.close()
    expect(names()).toEqual(['SessionStart startup', 'SessionEnd completed'])
    for (const input of raised)
      expect(input).toMatchObject({ synthetic: true, session_id: session.id, cwd: run.cwd })
  })

  it('tell of a resumed session as such, and a matcher picks by that', async () => {
    const { hooks, names } = keeping()
    const resumes: unknown[] = []
    const resumeOnly: HookMatcher = {
      matcher: 'resume',
      hooks: [
        (input) => {
          resumes.push(input.source)
          return {}
        },
      ],
    }
    hooks.SessionStart?.push(resumeOnly)
    await using run = await startOfflineAgent(['one', 'two'], { hooks })
    const first = await run.agent.startSession({ prompt: 'go' })
    await first.waitForCompletion()
    expect(resumes).toEqual([])
    const second = await run.agent.resumeSession(first.id, { prompt: 'go on' })
    await second.waitForCompletion()
    expect(resumes).toEqual(['resume'])
    expect(names()).toEqual([
      'SessionStart startup',
      'SessionEnd completed',
      'SessionStart resume',
      'SessionEnd completed',
    ])
  })

  it('come once each when the session is cancelled, when its turn fails, and when its process dies', async () => {
    const cancelled = keeping()
    await using run = await startOfflineAgent(['one'], { hooks: cancelled.hooks })
    const session = await run.agent.startSession({ keepAlive: true })
    await session.cancel()
    expect(cancelled.names()).toEqual(['SessionStart startup', 'SessionEnd cancelled'])

    const failed = keeping()
    await using refused = await startOfflineAgent([apiError(400, 'no', { sticky: true })], {
      hooks: failed.hooks,
    })
    const failing = await refused.agent.startSession({ prompt: 'go' })
    await expect(failing.waitForCompletion()).rejects.toThrow()
    expect(failed.names()).toEqual(['SessionStart startup', 'SessionEnd failed'])

    const crashed = keeping()
    await using fake = startFakeAgent([{ verb: 'crash', code: 3 }], { hooks: crashed.hooks })
    const dying = await fake.start()
    await expect(dying.waitForCompletion()).rejects.toThrow()
    expect(crashed.names()).toEqual(['SessionStart startup', 'SessionEnd failed'])
  })

  it('do not come when nothing was started', async () => {
    const { hooks, names } = keeping()
    await using agent = new ClaudeCodeAgent({ hooks, cliPath: '/no/such/claude' })
    await expect(agent.startSession({ prompt: 'go' })).rejects.toThrow(CLINotFoundError)
    expect(names()).toEqual([])
  })

  it('that fail warn, and harm nothing', async () => {
    const fail: HookCallback = () => {
      throw new Error('broken hook')
    }
    const hooks: HookConfigurations = { SessionStart: [{ hooks: [fail] }], SessionEnd: [{ hooks: [fail] }] }
    await runTurn(['done'], { hooks }, ({ run, result }) => {
      expect(result).toMatchObject({ type: 'result', outcome: 'completed' })
      expect(run.warnings).toEqual([
        expect.stringContaining('SessionStart hook failed'),
        expect.stringContaining('SessionEnd hook failed'),
      ])
    })
  })

  it('come first and last, whatever else the CLI has to say', async () => {
    const order: string[] = []
    const transport = new MemoryTransport()
    // The answer to `initialize` and the first hook arrive together, as they may from a pipe.
    transport.onWrite = (message) => {
      const request = message.request as Initialize | undefined
      if (request?.subtype !== 'initialize') return
      const [matcher] = request.hooks.UserPromptSubmit ?? []
      const input = { hook_event_name: 'UserPromptSubmit' }
      const call = { subtype: 'hook_callback', callback_id: matcher?.hookCallbackIds[0], input }
      setImmediate(() => {
        const response = { subtype: 'success', request_id: message.request_id, response: {} }
        transport.receive({ type: 'control_response', response })
        transport.receive({ type: 'control_request', request_id: 'hook', request: call })
      })
    }
    await using agent = new ClaudeCodeAgent({
      transport: () => transport,
      hooks: recording(['SessionStart', 'UserPromptSubmit', 'SessionEnd'], order),
    })
    const session = await agent.startSession({ prompt: 'go' })
    await session.cancel()
    expect(order).toEqual(['SessionStart (synthetic)', 'UserPromptSubmit', 'SessionEnd (synthetic)'])
  })

  it('name the transcript that the CLI writes', async () => {
    const { raised, hooks } = keeping()
    const paths: string[] = []
    const note: HookCallback = (input) => {
      paths.push(input.transcript_path)
      return {}
    }
    await runTurn(['done'], { hooks: { ...hooks, Stop: [{ hooks: [note] }] } }, async () => {
      expect(raised.map((input) => input.transcript_path)).toEqual([paths[0], paths[0]])
      expect(await readFile(String(paths[0]), 'utf8')).toContain('done')
    })
  })
})

/** The request that starts a session, as far as it is about hooks. */
interface Initialize {
  subtype: string
  hooks: Record<string, { hookCallbackIds: string[] }[]>
}

/** Hooks that note the names of their events and have no opinion. */
function recording(events: readonly HookEvent[], into: string[]): HookConfigurations {
  const note: HookCallback = (input) => {
    into.push(input.synthetic ? `${input.hook_event_name} (synthetic)` : input.hook_event_name)
    return {}
  }
  return Object.fromEntries(events.map((event) => [event, [{ hooks: [note] }]]))
}

function support(file: string): string {
  return fileURLToPath(new URL(`./support/${file}`, import.meta.url))
}
