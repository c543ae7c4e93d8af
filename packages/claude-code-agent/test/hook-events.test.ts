import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiError, type Script, type Step, toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
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
  it('are those that the CLI knows; around a session it raises them at clear, compact, instructions, models, commands', async () => {
    const seen: string[] = []
    await using run = await startOfflineAgent(['one', 'two', 'three', 'four'], {
      settingSources: ['project'],
      hooks: recordingHooks(hookEvents, seen),
    })
    await mkdir(join(run.cwd, '.claude', 'commands'), { recursive: true })
    await writeFile(join(run.cwd, '.claude', 'commands', 'greet.md'), 'Greet $ARGUMENTS.')
    await writeFile(join(run.cwd, 'CLAUDE.md'), 'Be brief.')
    const session = await run.agent.startSession({ keepAlive: true })
    const { eventCatalog } = await session.control('get_hooks_listing')
    const known = (eventCatalog as { name: string }[]).map(({ name }) => name)
    expect(known.sort()).toEqual([...hookEvents].sort())
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
        'UserPromptSubmit',
        'MessageDisplay',
        'Stop',
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
  const seen: string[] = []
  const events: HookEvent[] = [
    'SubagentStart',
    'SubagentStop',
    'TaskCreated',
    'TaskCompleted',
    'StopFailure',
    'PermissionDenied',
    'DirectoryAdded',
  ]
  let run: OfflineAgent
  let session: Session
  beforeAll(async () => {
    const tools = ['Agent', 'Bash', 'TaskCreate', 'TaskUpdate']
    const hooks = recordingHooks(events, seen)
    run = await startOfflineAgent(delegate, { ...bypass, tools, hooks }, asRoot)
    session = await run.agent.startSession({ keepAlive: true })
  })
  afterAll(() => run[Symbol.asyncDispose]())
  beforeEach(() => {
    seen.length = 0
  })
  const turn = async (...steps: Step[]) => {
    run.model.push(...steps)
    const ended = nextTurn(session)
    await session.send('go')
    await ended
    await untilState(session, 'idle')
  }
  const expectSeen = (...wanted: HookEvent[]) =>
    vi.waitFor(() => expect(seen).toEqual(wanted), { timeout: 50_000 })

  it('around a subagent', async () => {
    await turn()
    await expectSeen('SubagentStart', 'SubagentStop')
  })

  it('when tasks are made and done', async () => {
    await turn(
      toolUse('TaskCreate', { subject: 'a', description: 'b' }),
      toolUse('TaskUpdate', { taskId: '1', status: 'completed' }),
      'done',
    )
    await expectSeen('TaskCreated', 'TaskCompleted')
  })

  it('when auto mode denies', async () => {
    await session.setPermissionMode('auto')
    await turn(toolUse('Bash', { command: 'echo x > .git/hooks/y', description: 'writes' }), 'done')
    await expectSeen('PermissionDenied')
  })

  it('when a directory is added', async () => {
    await mkdir(join(run.cwd, 'part'))
    await session.control('register_repo_root', { directory: join(run.cwd, 'part') })
    await expectSeen('DirectoryAdded')
  })

  it('when the model refuses the request', async () => {
    await turn(apiError(400, 'no', { sticky: true }))
    await expectSeen('StopFailure')
  })
})

describe('hooks that are about files are called', () => {
  it('when settings change on disk, and when a file does that a hook of SessionStart named', async () => {
    const seen: string[] = []
    const changed: unknown[] = []
    const hooks: HookConfigurations = {
      ...recordingHooks(['ConfigChange'], seen),
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
    await using run = await startOfflineAgent(['done'], { settingSources: ['project'], hooks })
    const settings = join(run.cwd, '.claude', 'settings.json')
    const watched = join(run.cwd, 'watched.txt')
    await mkdir(join(run.cwd, '.claude'))
    await writeFile(settings, '{}')
    await writeFile(watched, 'as it was')
    const session = await run.agent.startSession({ keepAlive: true })
    const cleared = nextTurn(session)
    await session.send('/clear')
    await cleared
    const content = (n: number) => JSON.stringify({ env: { N: String(n) } })
    await changeUntil(settings, content, () => seen.includes('ConfigChange'))
    await changeUntil(
      watched,
      (n) => `change ${n}`,
      () => changed.includes(watched),
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
