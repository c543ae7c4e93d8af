/** The machine's policy (`managed-settings.json`): what it does whatever a host says, and how the host can know. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { commandHook, preToolUse } from '../host-answers.ts'
import { installPlugin, modFiles } from '../plugin-files.ts'
import type { Rig } from '../rig.ts'
import { noSandbox } from './sandbox.ts'

const keeper = [
  'packages/server/src/core/hooks/hook-states.ts',
  'packages/server/src/core/hooks/file-hooks.ts',
]
const check = ['packages/server/src/core/hooks/loaded-check.ts']
const gate = ['packages/server/src/core/permissions/session-permissions.ts']

/** It takes bubblewrap to give one process a policy, and the rest of the machine none. */
const needed = { unavailable: () => (process.platform === 'linux' ? noSandbox() : 'it takes bubblewrap') }

const policyFile = 'policy/managed-settings.json'
const off = { disableAllHooks: true }

/** What a policy's hook answers where it wants this input to run. */
const rewrites = (event: string, updatedInput: Frame): Frame =>
  event === 'PreToolUse'
    ? preToolUse('allow', { updatedInput })
    : { hookSpecificOutput: { hookEventName: event, decision: { behavior: 'allow', updatedInput } } }

const sourceOf = (settings: Frame, name: string): Frame =>
  settings.sources.find(({ source }: Frame) => source === name)?.settings

const resultText = (rig: Rig): string => rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''

export const policyCases: ContractCase[] = [
  {
    id: 'policy/overrules',
    title:
      'A policy’s `disableAllHooks: false` undoes that of `--settings`, its `allowManagedPermissionRulesOnly` the deny rules there; `get_hooks_listing` and `get_settings` report it',
    reliedOnBy: [...keeper, ...check],
    security: true,
    ...needed,
    expected: {
      ran: ['hook'],
      deniedFileWasRead: true,
      allDisabled: false,
      effective: { disableAllHooks: false, allowManagedPermissionRulesOnly: true },
    },
    async observe(rig) {
      await rig.write(policyFile, { disableAllHooks: false, allowManagedPermissionRulesOnly: true })
      await rig.write('.claude/settings.json', { hooks: { Stop: commandHook(await rig.marker('hook')) } })
      await rig.write('project/closed', 'WHAT IS CLOSED')
      const deny = [`Read(/${rig.cwd}/closed)`]
      const cli = await rig.start({
        policy: 'policy',
        sources: 'user',
        settings: { ...off, permissions: { deny } },
      })
      rig.script(toolUse('Read', { file_path: `${rig.cwd}/closed` }))
      await cli.turn('go')
      const { policy } = (await cli.ask('get_hooks_listing')).response
      const { effective } = (await cli.ask('get_settings')).response
      const { disableAllHooks, allowManagedPermissionRulesOnly } = effective
      return {
        ran: rig.which('hook'),
        deniedFileWasRead: resultText(rig).includes('WHAT IS CLOSED'),
        allDisabled: policy.allDisabled,
        effective: { disableAllHooks, allowManagedPermissionRulesOnly },
      }
    },
  },
  {
    id: 'policy/plugins',
    title:
      'A plugin that a policy turns on is loaded, and its hooks and code run, although `--settings` turns it and all hooks off; `get_settings` reports it as on',
    reliedOnBy: [...keeper, ...check],
    security: true,
    ...needed,
    expected: {
      loaded: ['p@m'],
      ran: ['hook', 'module'],
      moduleAllowedCall: true,
      listed: [{ event: 'SessionStart', source: 'pluginHook', pluginName: 'p@m' }],
      allDisabled: true,
      effective: { 'p@m': true },
    },
    async observe(rig) {
      const hooks = { SessionStart: commandHook(await rig.marker('hook')) }
      const { 'hooks/hooks.json': modules, ...code } = modFiles(rig, 'module', 'touch ran')
      const { enabled } = await installPlugin(rig, {
        ...code,
        'hooks/hooks.json': { hooks, ...(modules as object) },
      })
      await rig.write(policyFile, enabled)
      const cli = await rig.start({
        policy: 'policy',
        settings: { ...off, enabledPlugins: { 'p@m': false } },
        hooks: { PreToolUse: () => preToolUse('deny') },
      })
      rig.script(toolUse('Bash', { command: 'touch ran' }))
      await cli.turn('go')
      const [init] = cli.all({ subtype: 'init' })
      const listing = (await cli.ask('get_hooks_listing')).response
      const { effective } = (await cli.ask('get_settings')).response
      return {
        loaded: init.plugins.map((one: Frame) => one.source).filter((id: string) => !id.endsWith('@builtin')),
        ran: rig.which('hook', 'module'),
        moduleAllowedCall: rig.has('project/ran'),
        listed: listing.hooks.map(({ event, source, pluginName, disabled }: Frame) => ({
          ...{ event, source, pluginName },
          ...(disabled && { disabled }),
        })),
        allDisabled: listing.policy.allDisabled,
        effective: effective.enabledPlugins,
      }
    },
  },
  {
    id: 'policy/hooks',
    title:
      'A policy’s `PreToolUse` hook comes before the host’s, which receives the input that the hook made; its `PermissionRequest` hook puts another in place of the one that the host is asked about, and `PostToolUse` reports it. Each is reported as it ends; of a call that one refuses the host hears nothing',
    reliedOnBy: [
      ...gate,
      'packages/server/src/core/hooks/hook-states.ts',
      'packages/server/src/core/hooks/policy-opinions.ts',
    ],
    security: true,
    ...needed,
    expected: {
      first: ['hook_response PreToolUse:Bash', 'PreToolUse touch rewritten', 'PostToolUse touch rewritten'],
      asked: [
        'PreToolUse asked',
        'can_use_tool asked',
        'hook_response PermissionRequest:Write',
        'PostToolUse rewritten',
      ],
      denied: ['hook_response PreToolUse:Read'],
    },
    async observe(rig) {
      const on = async (event: string, matcher: string, answer: Frame): Promise<Frame> => ({
        matcher,
        hooks: [{ type: 'command', command: await rig.marker(`${event}-${matcher}`, answer) }],
      })
      const file = `${rig.cwd}/file`
      await rig.write(policyFile, {
        hooks: {
          PreToolUse: [
            await on('PreToolUse', 'Bash', rewrites('PreToolUse', { command: 'touch rewritten' })),
            await on('PreToolUse', 'Read', preToolUse('deny')),
          ],
          PermissionRequest: [
            await on(
              'PermissionRequest',
              'Write',
              rewrites('PermissionRequest', { file_path: file, content: 'rewritten' }),
            ),
          ],
        },
      })
      const contentOf = (input: Frame): string => input.command ?? input.content ?? ''
      const cli = await rig.start({
        policy: 'policy',
        settings: off,
        args: ['--include-hook-events'],
        hooks: { PreToolUse: () => ({}), PostToolUse: () => ({}), PostToolUseFailure: () => ({}) },
        permit: () => undefined,
      })
      /** What the host receives about one call, in its order. */
      const received = async (tool: string, input: Frame): Promise<string[]> => {
        const from = cli.frames.length
        rig.script(toolUse(tool, input))
        await cli.turn('go')
        return cli.frames.slice(from).flatMap(({ subtype, hook_name, request }: Frame) => {
          if (subtype === 'hook_response') return [`${subtype} ${hook_name}`]
          if (request?.subtype === 'can_use_tool') return [`can_use_tool ${contentOf(request.input)}`]
          if (request?.subtype !== 'hook_callback') return []
          return [`${request.callback_id} ${contentOf(request.input.tool_input)}`]
        })
      }
      return {
        first: await received('Bash', { command: 'touch asked' }),
        asked: await received('Write', { file_path: file, content: 'asked' }),
        denied: await received('Read', { file_path: file }),
      }
    },
  },
  {
    id: 'policy/changes',
    title:
      'A changed policy counts once the host’s `ConfigChange` hook has answered, whatever it says, and not before; `get_settings` reports it by then. `get_hooks_listing` counts its hooks also where it lists none, and reports a policy that cannot be read',
    reliedOnBy: [...check, 'packages/server/src/core/sessions/live-process.ts'],
    security: true,
    ...needed,
    expected: { ranBefore: [], reportedBefore: true, ran: ['hook'], listed: 0, counted: 1, unreadable: true },
    async observe(rig) {
      await rig.write(policyFile, {})
      const questions: string[] = []
      const cli = await rig.start({
        policy: 'policy',
        settings: off,
        hooks: { ConfigChange: () => undefined },
        onRequest: ({ subtype }, id) => {
          if (subtype === 'hook_callback') questions.push(id)
        },
      })
      const change = async (content: unknown): Promise<string> => {
        await rig.write(policyFile, content)
        await cli.untilTrue(() => questions.length > 0, 'ConfigChange')
        return questions.shift() ?? ''
      }
      /** The listing, once it says what it is to. It does so some time after the answer. */
      const listing = async (fits: (policy: Frame) => boolean): Promise<Frame> => {
        for (let left = 200; ; left--) {
          const { response } = await cli.ask('get_hooks_listing')
          if (fits(response.policy) || left === 0) return response
          await rig.poll(() => false, 25)
        }
      }
      const hooks = { Stop: commandHook(await rig.marker('hook')) }
      const question = await change({ allowManagedHooksOnly: true, hooks })
      await cli.turn('one')
      const ranBefore = rig.which('hook')
      const reported = sourceOf((await cli.ask('get_settings')).response, 'policySettings').hooks
      cli.respond(question, { decision: 'block', reason: 'no' })
      const counted = await listing(({ policyHookCount }) => policyHookCount > 0)
      await cli.turn('two')
      const ran = rig.which('hook')
      cli.respond(await change('{ this is not JSON'), { decision: 'block', reason: 'no' })
      const broken = await listing(({ policyUnreadable }) => policyUnreadable)
      return {
        ranBefore,
        reportedBefore: JSON.stringify(reported) === JSON.stringify(hooks),
        ran,
        listed: counted.hooks.length,
        counted: counted.policy.policyHookCount,
        unreadable: broken.policy.policyUnreadable ?? false,
      }
    },
  },
]
