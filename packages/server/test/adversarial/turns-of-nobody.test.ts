/** Turns that nobody caused: the switches that keep Claude Code from beginning any, and the net below them where it does. */
import { readdirSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { PermissionMode } from '@dorkos/shared'
import { type Offline, realCliPath, startOffline, toolUse } from '@dorkos/testkit'
import { undocumentedVariables } from 'claude-code-agent'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliProcesses, until } from '../support/cli-processes.ts'
import { startCliRig } from '../support/cli-rig.ts'
import { Conversation } from '../support/conversation.ts'
import { bash } from '../support/hook-consents.ts'
import { put } from '../support/install-plugin.ts'
import { modesHere, modesOfStarts } from '../support/modes-here.ts'
import { useHost } from '../support/use-host.ts'

const minute = 60_000
const words = 'BY ITSELF'

/** Each has the CLI begin a turn when it starts, the switches being off here. Gives the program to start. */
const ways: Record<string, (offline: Offline) => Promise<string>> = {
  async 'a schedule’s prompt'({ cwd }) {
    const overdue = { id: 't', cron: '* * * * *', prompt: words, createdAt: 1, recurring: true }
    put(join(cwd, '.claude/scheduled_tasks.json'), { tasks: [overdue] })
    return realCliPath()
  },
  /** It counts on the command line alone (2.1.325), where we never put one. */
  async 'an agent’s initial prompt'({ cwd, home }) {
    put(
      join(cwd, '.claude/agents/auto.md'),
      `---\nname: auto\ndescription: d\ninitialPrompt: ${words}\n---\nHi.`,
    )
    const program = join(home, 'claude')
    put(program, `#!/bin/sh\nexec '${realCliPath()}' --agent=auto "$@"\n`)
    await chmod(program, 0o755)
    return program
  },
}

// Side by side: each waits for the CLI's own clock.
const cases: [way: string, mode: PermissionMode][] = [
  ...modesHere.map((mode): [string, PermissionMode] => ['a schedule’s prompt', mode]),
  ...modesOfStarts.map((mode): [string, PermissionMode] => ['an agent’s initial prompt', mode]),
]
it.concurrent.for(cases)(
  '%s does not reach the model, and ends the session’s process, %s',
  { timeout: minute },
  async ([way, permissionMode], { expect }) => {
    await using offline = await startOffline(() => 'Hello.')
    await using started = await startCliRig(offline, { cliPath: (await ways[way]?.(offline)) ?? '' })
    const { rig } = started
    const { id } = await rig.record()
    await rig.sessions.change(id, { permissionMode })
    await rig.send('hello')
    const { message } = await rig.next('notice', ({ code }) => code === 'session_stopped')
    expect(message).toContain('no one asked for')
    // Before the process was ready, while it worked, or after: its time is not ours to choose.
    await expect.poll(() => rig.manager.peek(id)?.live ?? false, { timeout: minute }).toBe(false)
    for (const { body } of offline.model.requests) expect(JSON.stringify(body)).not.toContain(words)
  },
)

describe('a session', () => {
  const used = useHost()
  let session: Conversation
  beforeAll(async () => {
    const goesOn = { [undocumentedVariables.resumesCutOffTurn.name]: '1', CLAUDE_CODE_RESUME_PROMPT: words }
    put(join(used.host.root, '.claude/settings.json'), { env: goesOn })
    session = await Conversation.open(used.host, {})
  })

  it('to which nobody has said anything does not reach the model, and does once somebody has', async () => {
    const { host } = used
    await host.client.startSession({ params: session.params, body: {} })
    const { url, credential } = wayToTheModel(host.root)
    const ask = async () => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
      const body = JSON.stringify({
        model: 'claude-opus-5-5',
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Hello?' }],
      })
      return await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
    }
    const refused = await ask()
    expect(refused.status).toBe(402)
    expect(await refused.text()).toContain('Nobody has said anything')
    expect(host.model.requests).toEqual([])
    await session.say(used.prompts.on('hello', 'Hello.'))
    used.prompts.on('Hello?', 'Yes.')
    expect((await ask()).status).toBe(200)
  })

  it.each(modesHere)(
    'has no tool that begins turns later, also for a model that calls one, %s',
    async (mode) => {
      const later = [
        toolUse('CronCreate', { cron: '* * * * *', prompt: words, recurring: true }),
        toolUse('ScheduleWakeup', { delaySeconds: 60, reason: 'later', prompt: words }),
      ]
      await used.host.client.changeSession({ params: session.params, body: { permission_mode: mode } })
      const before = session.watch.of('tool_result').length
      await session.say(used.prompts.on(`later ${mode}`, later, 'Done.'))
      const results = session.watch.of('tool_result').slice(before)
      expect(results.map(({ is_error }) => is_error)).toEqual([true, true])
      expect(JSON.stringify(results)).toMatch(/No such tool.*No such tool/)
      const offered = used.host.model.requests.at(-1)?.toolNames ?? []
      expect(offered).toContain('Bash')
      expect(offered.filter((name) => /Cron|Wakeup/.test(name))).toEqual([])
    },
  )

  it.each(modesOfStarts)(
    'does not go on by itself with what a killed process had begun: neither its turn, whatever settings say, nor its background work, %s',
    async (mode) => {
      const { host } = used
      const change = (permission_mode: PermissionMode) =>
        host.client.changeSession({ params: session.params, body: { permission_mode } })
      const waits = `while [ -d "$PWD" ] && [ ! -f go-on-${mode} ]; do sleep 0.05; done`
      const background = toolUse('Bash', { command: waits, description: 'x', run_in_background: true })
      await change('bypassPermissions')
      const work = used.prompts.on(`work ${mode}`, background, bash(`touch began-${mode}; ${waits}`))
      const turn = await session.send(work)
      await until(() => transcript(host.root, session.id).includes(`touch began-${mode}`))
      // What it would go on in.
      await change(mode)
      for (const { pid } of cliProcesses(host.root)) process.kill(pid, 'SIGKILL')
      expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
      const before = host.model.requests.length
      const next = used.prompts.on(`and now, ${mode}?`, 'Done.')
      expect(await session.say(next)).toMatchObject({ outcome: 'completed' })
      put(join(host.cwd, `go-on-${mode}`), '')
      // That its background work is gone the CLI says in a turn of its own, in which it asks no model (2.1.325).
      const asked = host.model.requests.slice(before).map(({ lastUserText }) => lastUserText)
      expect(asked).toEqual([expect.stringContaining(next)])
      expect(asked[0]).not.toContain(words)
      expect(session.watch.of('notice').filter(({ code }) => code === 'session_stopped')).toEqual([])
    },
  )
})

/** Empty until the CLI has written something. */
function transcript(root: string, id: string): string {
  const folder = join(root, '.claude/projects')
  try {
    return readFileSync(join(folder, readdirSync(folder)[0] ?? '', `${id}.jsonl`), 'utf8')
  } catch {
    return ''
  }
}

/** As the CLI has it. */
function wayToTheModel(root: string): { url: string; credential: string } {
  const [cli] = cliProcesses(root)
  const environment = readFileSync(`/proc/${cli?.pid}/environ`, 'utf8')
  const of = (name: string) => new RegExp(`${name}=([^\\0]+)`).exec(environment)?.[1] ?? ''
  return { url: of('ANTHROPIC_BASE_URL'), credential: of('ANTHROPIC_AUTH_TOKEN') }
}
