import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiError, type Script, toolUse } from '@dorkos/testkit'
import { describe, expect, it, vi } from 'vitest'
import {
  type AgentOptions,
  ClaudeCodeAgent,
  type HookConfigurations,
  type HookEvent,
  hookEvents,
  InvalidOptionsError,
  type Session,
} from '../src/index.ts'
import { nextTurn, untilState } from './support/collect.ts'
import { type OfflineAgent, startOfflineAgent } from './support/offline-agent.ts'
import { recordingHooks } from './support/recording-hooks.ts'

const bypass = { permissionMode: 'bypassPermissions' } as const
const asRoot = { sandbox: true }

describe('the events', () => {
  it('are those that the CLI knows, and all of them can be configured at once', async () => {
    const seen: string[] = []
    await using run = await startOfflineAgent(['done'], { hooks: recordingHooks(hookEvents, seen) })
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
      hooks: recordingHooks(events, seen),
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

  it('Elicitation sees what an MCP server asks, and ElicitationResult what was answered', async () => {
    const order: string[] = []
    const asking = { command: process.execPath, args: [support('asking-server.mjs')] }
    const options: AgentOptions = {
      ...bypass,
      mcpServers: { asking },
      hooks: recordingHooks(['Elicitation', 'ElicitationResult', 'Notification'], order),
      onElicitation: ({ serverName, message, requestedSchema }) => {
        order.push(`${serverName} asks: ${message} ${Object.keys(requestedSchema?.properties ?? {})}`)
        return { action: 'accept', content: { name: 'Ann' } }
      },
    }
    await using run = await startOfflineAgent([toolUse('mcp__asking__ask'), 'done'], options, asRoot)
    const session = await run.agent.startSession({ prompt: 'go', waitForMcp: true })
    await session.waitForCompletion()
    expect(order.slice(0, 3)).toEqual(['Elicitation', 'asking asks: Your name? name', 'ElicitationResult'])
    expect(order).toContain('Notification')
    const [result] = (await run.model.waitForRequest(2)).toolResults
    expect(JSON.parse(result?.text ?? '')).toEqual({ action: 'accept', content: { name: 'Ann' } })
  })
})

/** Hooks of these events, the session, and what happens in it once its first turn is over. */
interface Occasion {
  events: HookEvent[]
  script: Script
  options?: AgentOptions
  after?(session: Session, run: OfflineAgent): Promise<unknown>
}

const delegate: Script = ({ kind, toolResults }) => {
  if (kind === 'subagent') return 'the part is done'
  if (toolResults.length > 0) return 'done'
  return toolUse('Agent', {
    description: 'a part',
    prompt: 'Do a part.',
    subagent_type: 'general-purpose',
    run_in_background: false,
  })
}

describe('hooks are called', () => {
  it.each<[string, Occasion]>([
    ['around a subagent', { events: ['SubagentStart', 'SubagentStop'], script: delegate, options: bypass }],
    [
      'when tasks are made and done',
      {
        events: ['TaskCreated', 'TaskCompleted'],
        options: { ...bypass, tools: ['TaskCreate', 'TaskUpdate'] },
        script: [
          toolUse('TaskCreate', { subject: 'a', description: 'b' }),
          toolUse('TaskUpdate', { taskId: '1', status: 'completed' }),
          'done',
        ],
      },
    ],
    [
      'when the model refuses the request',
      { events: ['StopFailure'], script: [apiError(400, 'no', { sticky: true })] },
    ],
    [
      'when auto mode denies',
      {
        events: ['PermissionDenied'],
        options: { permissionMode: 'auto' },
        script: [toolUse('Bash', { command: 'echo x > .git/hooks/y', description: 'writes' }), 'done'],
      },
    ],
    [
      'when a directory is added',
      {
        events: ['DirectoryAdded'],
        script: ['done'],
        after: async (session, { cwd }) => {
          await mkdir(join(cwd, 'part'))
          await session.control('register_repo_root', { directory: join(cwd, 'part') })
        },
      },
    ],
  ])('%s', async (_, { events, script, options, after }) => {
    const seen: string[] = []
    const hooks = recordingHooks(events, seen)
    await using run = await startOfflineAgent(script, { ...options, hooks }, asRoot)
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    await nextTurn(session)
    await after?.(session, run)
    await vi.waitFor(() => expect(seen).toEqual(events), { timeout: 10_000 })
  })

  it('when settings change on disk', async () => {
    const seen: string[] = []
    const hooks = recordingHooks(['ConfigChange'], seen)
    await using run = await startOfflineAgent(['done'], { settingSources: ['project'], hooks })
    const file = join(run.cwd, '.claude', 'settings.json')
    await mkdir(join(run.cwd, '.claude'))
    await writeFile(file, '{}')
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    await nextTurn(session)
    const content = (n: number) => JSON.stringify({ env: { N: String(n) } })
    await changeUntil(file, content, () => seen.includes('ConfigChange'))
  })

  it('when a file changes that a hook of SessionStart named', async () => {
    const changed: unknown[] = []
    const hooks: HookConfigurations = {
      SessionStart: [
        {
          hooks: [
            ({ cwd }) => ({
              hookSpecificOutput: { hookEventName: 'SessionStart', watchPaths: [join(cwd, 'watched.txt')] },
            }),
          ],
        },
      ],
      FileChanged: [
        {
          hooks: [
            ({ file_path }) => {
              changed.push(file_path)
              return {}
            },
          ],
        },
      ],
    }
    await using run = await startOfflineAgent(['done'], { hooks })
    const file = join(run.cwd, 'watched.txt')
    await writeFile(file, 'as it was')
    const session = await run.agent.startSession({ keepAlive: true })
    const cleared = nextTurn(session)
    await session.send('/clear')
    await cleared
    await changeUntil(
      file,
      (n) => `change ${n}`,
      () => changed.includes(file),
    )
  })

  it('to make and remove a worktree, which is then up to them', async () => {
    const removed: unknown[] = []
    const hooks: HookConfigurations = {
      WorktreeCreate: [
        {
          hooks: [
            ({ cwd, name }) => {
              const worktreePath = join(cwd, '..', String(name))
              execFileSync('git', ['worktree', 'add', '-q', worktreePath], { cwd })
              return { hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath } }
            },
          ],
        },
      ],
      WorktreeRemove: [
        {
          hooks: [
            ({ worktree_path }) => {
              removed.push(worktree_path)
              return {}
            },
          ],
        },
      ],
    }
    const script = [
      toolUse('EnterWorktree', { name: 'aside' }),
      toolUse('Bash', { command: 'pwd', description: 'where' }),
      toolUse('ExitWorktree', { action: 'remove', discard_changes: true }),
      'done',
    ]
    await using run = await startOfflineAgent(script, { ...bypass, hooks }, asRoot)
    const git = (...args: string[]) => execFileSync('git', args, { cwd: run.cwd })
    git('init', '-q')
    git('-c', 'user.email=a@b', '-c', 'user.name=a', 'commit', '-q', '--allow-empty', '-m', 'first')
    const session = await run.agent.startSession({ prompt: 'go' })
    await session.waitForCompletion()
    const aside = join(run.offline.home, 'aside')
    expect((await run.model.waitForRequest(3)).toolResults[0]?.text).toBe(aside)
    expect(removed).toEqual([aside])
  })
})

/** The CLI may not watch yet at the first change, and waits until a file has come to rest: so changes are far apart. */
async function changeUntil(file: string, content: (n: number) => string, seen: () => boolean): Promise<void> {
  for (let n = 0; n < 5 && !seen(); n++) {
    await writeFile(file, content(n))
    await vi.waitFor(() => expect(seen()).toBe(true), { timeout: 4_000 }).catch(() => {})
  }
  expect(seen()).toBe(true)
}

function support(file: string): string {
  return fileURLToPath(new URL(`./support/${file}`, import.meta.url))
}
