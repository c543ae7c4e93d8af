/** The machine's policy (`managed-settings.json`): what it does whatever a host says, and how the host can know. */
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { commandHook } from '../host-answers.ts'
import { noSandbox } from './sandbox.ts'

const check = ['packages/server/src/core/hooks/loaded-check.ts']

/** It takes bubblewrap to give one process a policy, and the rest of the machine none. */
const needed = { unavailable: () => (process.platform === 'linux' ? noSandbox() : 'it takes bubblewrap') }

const policyFile = 'policy/managed-settings.json'
const off = { disableAllHooks: true }

const sourceOf = (settings: Frame, name: string): Frame =>
  settings.sources.find(({ source }: Frame) => source === name)?.settings

export const policyCases: ContractCase[] = [
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
