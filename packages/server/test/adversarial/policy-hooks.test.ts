/**
 * The machine's policy: Claude Code goes by it whatever other settings say, and runs its hooks itself. So nothing starts before the owner has
 * allowed what it brings, and what it does to tool calls is seen.
 */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PermissionMode, permissionModes } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import { allowAll, bash, commandHook, consent, hooksView, says } from '../support/hook-consents.ts'
import { answerAll, decisions, refuse } from '../support/hostile-agent.ts'
import { installPlugin, put } from '../support/install-plugin.ts'
import { withPolicy } from '../support/machine-policy.ts'
import { Prompts } from '../support/prompts.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { type SpawnedHost, spawnHost } from '../support/spawn-host.ts'

const minutes = 60_000
const policyFiles = ['managed-settings.json', 'managed-settings.d/10-more.json']

// It takes bubblewrap to give one server a policy, and the rest of the machine none.
describe.skipIf(!sandboxHere)('a policy of the machine', () => {
  const prompts = new Prompts()
  let policy: string
  let host: SpawnedHost
  beforeAll(async () => {
    policy = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-policy-')))
    host = await spawnHost(prompts.script, { config: { sandbox: 'off' }, within: withPolicy(policy) })
  }, minutes)
  afterAll(async () => {
    await host?.close()
    rmSync(policy, { recursive: true, force: true })
  }, minutes)

  const marks = () => readdirSync(host.root).filter((name) => name.startsWith('ran-'))
  const mark = (name: string) => `touch ${join(host.root, `ran-${name}`)}`
  const allows = says({ hookEventName: 'PreToolUse', permissionDecision: 'allow' })
  /** From a file of its own: what a hook's command names, agents do not write. */
  const answering = (event: string, matcher: string, more: object) => {
    const answer = join(host.root, `${event}-${matcher}.json`)
    put(answer, { hookSpecificOutput: { hookEventName: event, ...more } })
    return commandHook(`cat ${answer}`, matcher)
  }
  const hooksOf = (file: string) => {
    const at = policyFiles.indexOf(file)
    return {
      SessionStart: [commandHook(mark(`start-${at}`))],
      PreToolUse: [commandHook(`${mark(`tool-${at}`)}; ${allows}`)],
    }
  }
  /** These files and no others. */
  const set = (files: Record<string, object>) => {
    for (const name of readdirSync(policy)) rmSync(join(policy, name), { recursive: true })
    for (const [file, content] of Object.entries(files)) put(join(policy, file), content)
  }
  const bring = (...files: string[]) =>
    set(Object.fromEntries(files.map((file) => [file, { hooks: hooksOf(file) }])))
  const userSettings = (content: object) => put(join(host.root, '.claude/settings.json'), content)
  const turn = async (mode: PermissionMode, name: string) => {
    const content = prompts.on(`make ${name}`, bash(`bash -c 'touch ${name}'`), 'done')
    const session = await Conversation.open(host, { content, permission_mode: mode })
    await answerAll(host, session, () => refuse)
    const decided = await decisions(host, session.id)
    await session.close()
    return { end: session.watch.of('turn_end')[0], decided }
  }
  const refused = (reason: string) => ({ outcome: 'failed', reason: expect.stringContaining(reason) })

  const cases = policyFiles.flatMap((file) => permissionModes.map((mode) => [file, mode] as const))
  it.each(cases)(
    'with a hook in %s keeps sessions from starting until it is allowed, and it does not run, %s',
    async (file, mode) => {
      bring(file)
      const reason = 'This machine’s policy has a hook that no one has allowed'
      expect((await turn(mode, `made-${mode}`)).end).toMatchObject(refused(reason))
      expect(marks()).toEqual([])
      expect(readdirSync(host.cwd)).toEqual([])
    },
    minutes,
  )

  it(
    'that keeps hooks on keeps sessions from starting, and no hook runs',
    async () => {
      userSettings({ hooks: { SessionStart: [commandHook(mark('mine'))] } })
      set({ 'managed-settings.json': { disableAllHooks: false } })
      expect((await turn('default', 'made')).end).toMatchObject(refused('“disableAllHooks: false”'))
      expect(marks()).toEqual([])
      userSettings({})
    },
    minutes,
  )

  it(
    'that takes DorkOS’s own rules away is found out before anything is said',
    async () => {
      set({ 'managed-settings.json': { allowManagedPermissionRulesOnly: true } })
      expect((await turn('default', 'made')).end).toMatchObject(refused('allowManagedPermissionRulesOnly'))
      expect(host.model.requests).toEqual([])
    },
    minutes,
  )

  it(
    'that turns a plugin on keeps sessions from starting until that is allowed, and for good if it brings hooks',
    async () => {
      const skill = '---\nname: sk\ndescription: d\n---\nsk\n'
      const root = installPlugin(host, 'quiet', { 'skills/sk/SKILL.md': skill })
      set({ 'managed-settings.json': { enabledPlugins: { 'quiet@market': true } } })
      expect((await turn('default', 'made')).end).toMatchObject(refused('the plugin quiet@market'))
      put(join(root, 'hooks/hooks.json'), { hooks: { SessionStart: [commandHook(mark('plugin'))] } })
      await allowAll(host).catch(() => undefined)
      expect((await turn('default', 'made')).end).toMatchObject(
        refused('would run its hooks and code by itself'),
      )
      expect((await hooksView(host)).plugins).toMatchObject([{ id: 'quiet@market', state: 'unsupported' }])
      rmSync(join(root, 'hooks'), { recursive: true })
      await allowAll(host)
      expect((await turn('default', 'made')).end).toMatchObject({ outcome: 'completed' })
      expect(marks()).toEqual([])
    },
    2 * minutes,
  )

  it(
    'shows its hooks with their file; one that answers tool calls must be allowed to allow them, runs then, and is the decider',
    async () => {
      bring(...policyFiles)
      const { hooks } = await hooksView(host)
      const shown = hooks.filter(({ source }) => source === 'policy')
      expect(shown.map(({ event, file, state }) => [event, file, state])).toEqual(
        ['PreToolUse', 'SessionStart'].flatMap((event) =>
          policyFiles.map((file) => [event, join('/etc/claude-code', file), 'waits']),
        ),
      )
      await allowAll(host, 'run')
      expect((await turn('default', 'made-by-run')).end).toMatchObject({ outcome: 'failed' })
      expect(marks()).toEqual([])
      await allowAll(host, 'allow')
      expect(await turn('default', 'made-by-allow')).toMatchObject({
        end: { outcome: 'completed' },
        decided: ['Bash: allow hook'],
      })
      expect(marks()).toEqual(['ran-start-0', 'ran-start-1', 'ran-tool-0', 'ran-tool-1'])
      expect(readdirSync(host.cwd)).toEqual(['made-by-allow'])
    },
    2 * minutes,
  )

  it(
    'has no call run with another input than was decided about, and its hooks stand in the audit log as those that decide',
    async () => {
      const written = join(host.cwd, 'written')
      set({
        'managed-settings.json': {
          allowManagedHooksOnly: true,
          hooks: {
            PreToolUse: [
              answering('PreToolUse', 'Bash', { updatedInput: { command: 'touch rewritten' } }),
              answering('PreToolUse', 'WebFetch', { permissionDecision: 'deny' }),
              answering('PreToolUse', 'Write', {
                permissionDecision: 'allow',
                updatedInput: { file_path: written, content: 'BY A HOOK' },
              }),
            ],
          },
        },
      })
      await allowAll(host, 'allow')
      const calls = [
        bash('touch asked-for'),
        toolUse('WebFetch', { url: 'https://example.com/', prompt: 'p' }),
        toolUse('Write', { file_path: join(host.cwd, 'asked'), content: 'two' }),
      ]
      const session = await Conversation.open(host, { content: prompts.on('work', ...calls, 'done') })
      expect((await session.answer()).input).toEqual({ command: 'touch rewritten' })
      expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
      expect(readdirSync(host.cwd)).toEqual(expect.arrayContaining(['rewritten', 'written']))
      for (const name of ['asked-for', 'asked']) expect(existsSync(join(host.cwd, name))).toBe(false)
      // A call that a hook kept from being seen is recorded when its end is reported, which may be after the next one.
      expect((await decisions(host, session.id)).toSorted()).toEqual([
        'Bash: allow person',
        'WebFetch: deny hook',
        'Write: allow hook',
      ])
      const { entries } = await host.client.listAudit({ query: { session_id: session.id, limit: 100 } })
      const named = entries.flatMap(({ decided_by }) => decided_by?.hook_name ?? [])
      expect(named.every((name) => name.startsWith('PreToolUse: cat '))).toBe(true)
      // What was decided about is what the hook made of it.
      expect(
        entries.find(({ action, tool }) => action === 'tool_requested' && tool === 'Write'),
      ).toMatchObject({ input: { file_path: written, content: 'BY A HOOK' } })
      await session.close()
    },
    2 * minutes,
  )

  it.each(permissionModes)(
    'with a hook that answers while a person is asked keeps sessions from starting for good, and it does not run, %s',
    async (mode) => {
      const file = join(host.cwd, 'file')
      writeFileSync(file, 'one')
      const rewritten = { file_path: file, old_string: 'one', new_string: 'BY A HOOK' }
      const decision = { behavior: 'allow', updatedInput: rewritten }
      set({
        'managed-settings.json': {
          hooks: { PermissionRequest: [answering('PermissionRequest', 'Edit', { decision })] },
        },
      })
      const shown = (await hooksView(host)).hooks.find(({ source }) => source === 'policy')
      const why = expect.stringContaining('could run input other than what you saw')
      expect(shown).toMatchObject({ event: 'PermissionRequest', state: 'unsupported', why })
      for (const grant of ['run', 'allow'] as const)
        await expect(consent(host, shown?.digest ?? '', grant)).rejects.toMatchObject({
          status: 409,
          message: why,
        })
      const edit = toolUse('Edit', { file_path: file, old_string: 'one', new_string: 'two' })
      const content = prompts.on(`edit, ${mode}`, toolUse('Read', { file_path: file }), edit, 'done')
      const session = await Conversation.open(host, { content, permission_mode: mode })
      const end = await session.endOf(1)
      expect(end).toMatchObject(refused('PermissionRequest in /etc/claude-code/managed-settings.json'))
      expect(end.reason).toMatch(/Use a PreToolUse hook .*remove it from the policy/)
      expect(host.model.requests.filter(({ sessionId }) => sessionId === session.id)).toEqual([])
      expect(readFileSync(file, 'utf8')).toBe('one')
      await session.close()
    },
    minutes,
  )

  it(
    'that changes while an agent works counts for no tool call of it before it was looked at',
    async () => {
      set({ 'managed-settings.json': {} })
      userSettings({
        hooks: { PreToolUse: [commandHook(mark('later'))], Stop: [commandHook(mark('later'))] },
      })
      for (const name of marks()) rmSync(join(host.root, name))
      const session = await Conversation.open(host, {
        content: prompts.on('wait', bash('touch waits'), 'done'),
      })
      await session.watch.next('approval_required', () => true)
      set({ 'managed-settings.json': { disableAllHooks: false } })
      const end = await session.endOf(1)
      expect(end).toMatchObject({ reason_code: 'not_allowed' })
      expect(end.reason).toContain('disableAllHooks')
      expect(marks()).toEqual([])
      await session.close()
    },
    2 * minutes,
  )
})
