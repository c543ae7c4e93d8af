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

/** It takes bubblewrap to give one process a policy, and the rest of the machine none. */
const needed = { unavailable: () => (process.platform === 'linux' ? noSandbox() : 'it takes bubblewrap') }

const policyFile = 'policy/managed-settings.json'
const off = { disableAllHooks: true }

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
