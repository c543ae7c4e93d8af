/** What hooks of files and code modules of plugins could do to a call, were they not off. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { commandHook, permissionGranted, preToolUse } from '../host-answers.ts'
import { installPlugin, modFiles, writePlugin } from '../plugin-files.ts'
import type { Rig, StartOptions } from '../rig.ts'

const gate = ['packages/server/src/adapters/claude/permission-options.ts']
const settings = ['packages/server/src/adapters/claude/agent-settings.ts']
const userSettings = '.claude/settings.json'

/** One Bash call that leaves `ran`, with this host. */
async function callBash(rig: Rig, options: StartOptions, command = 'touch ran'): Promise<Cli> {
  const cli = await rig.start(options)
  rig.script(toolUse('Bash', { command }))
  await cli.turn('go')
  return cli
}

/** A folder on the command line, an installed plugin, and a folder for skills: of the user, and of a project that the CLI was told to trust. */
const modForms = ['inline', 'installed', 'skills', 'project']

/** One call for the module of each form, all of which the host denies. */
async function runMods(rig: Rig, off: boolean): Promise<Frame> {
  const files = (form: string) => modFiles(rig, `ran-${form}`, `touch by-${form}`)
  const { enabled } = await installPlugin(rig, files('installed'))
  await rig.write(userSettings, enabled)
  await writePlugin(rig, 'inline', files('inline'))
  await writePlugin(rig, '.claude/skills/skills', files('skills'))
  await writePlugin(rig, 'project/.claude/skills/project', files('project'))
  await rig.write('.claude/.claude.json', { projects: { [rig.cwd]: { hasTrustDialogAccepted: true } } })
  const cli = await rig.start({
    sources: 'user,project,local',
    settings: { disableAllHooks: off },
    args: [`--plugin-dir=${rig.home}/inline`],
    hooks: { PreToolUse: () => preToolUse('deny') },
  })
  rig.script(...modForms.map((form) => toolUse('Bash', { command: `touch by-${form}` })))
  await cli.turn('go')
  return {
    loaded: modForms.filter((form) => rig.has(`ran-${form}`)),
    ranUnasked: modForms.filter((form) => rig.has(`project/by-${form}`)),
    listed: (await cli.ask('get_hooks_listing')).response.hooks.length,
  }
}

export const hookOverrideCases: ContractCase[] = [
  {
    id: 'hook-overrides/permission-request-allow',
    title: 'A `PermissionRequest` hook of a file answers in the host’s place, unless all hooks are off',
    reliedOnBy: settings,
    security: true,
    expected: { ranWhileTheQuestionWasOpen: true, ranWithHooksOff: false },
    async observe(rig) {
      const hook = await rig.marker('asked', permissionGranted)
      await rig.write(userSettings, { hooks: { PermissionRequest: commandHook(hook) } })
      /** Whether the call runs within this time, and how long that took. */
      const unanswered = async (off: boolean, mark: string, patience: number): Promise<[boolean, number]> => {
        const options: StartOptions = {
          sources: 'user',
          settings: { disableAllHooks: off },
          permit: () => undefined,
        }
        const cli = await rig.start(options)
        rig.script(toolUse('Bash', { command: `touch ${mark}` }))
        cli.say('go')
        await cli.request('can_use_tool')
        const asked = Date.now()
        const ran = await rig.poll(() => rig.has(`project/${mark}`), patience)
        await cli.kill()
        return [ran, Date.now() - asked]
      }
      const [ranWhileTheQuestionWasOpen, itTakes] = await unanswered(false, 'on', 30_000)
      const [ranWithHooksOff] = await unanswered(true, 'off', 2 * itTakes)
      return { ranWhileTheQuestionWasOpen, ranWithHooksOff }
    },
  },
  {
    id: 'hook-overrides/rewritten-input',
    title:
      'A hook of a file can change what runs after the host’s hook allowed it; `PostToolUse` reports what ran',
    reliedOnBy: gate,
    security: true,
    expected: {
      hostSaw: 'touch ran',
      asked: 0,
      ran: ['project/rewritten'],
      ranAs: 'touch rewritten',
    },
    async observe(rig) {
      const rewritten = preToolUse('allow', { updatedInput: { command: 'touch rewritten' } })
      await rig.write(userSettings, {
        hooks: { PreToolUse: commandHook(await rig.marker('hook', rewritten)) },
      })
      const seen: Frame = {}
      const cli = await callBash(rig, {
        sources: 'user',
        hooks: {
          PreToolUse: (input) => {
            seen.before = input.tool_input.command
            return preToolUse('allow')
          },
          PostToolUse: (input) => {
            seen.after = input.tool_input.command
            return {}
          },
        },
      })
      return {
        hostSaw: seen.before,
        asked: cli.requests('can_use_tool').length,
        ran: rig.which('project/ran', 'project/rewritten'),
        ranAs: seen.after,
      }
    },
  },
  {
    id: 'hook-overrides/rewritten-input-asked',
    title:
      'Where the host’s hook says `ask`, another hook’s `allow` does not count, and its changed input only where it ends first; the host is asked about what then runs',
    reliedOnBy: gate,
    security: true,
    expected: {
      hostFirst: { askedAbout: 'touch ran', ran: ['project/ran'] },
      hostLast: { askedAbout: 'touch rewritten', ran: ['project/rewritten'] },
    },
    async observe(rig) {
      const rewritten = preToolUse('allow', { updatedInput: { command: 'touch rewritten' } })
      const wait = `while [ -d '${rig.home}' ] && [ ! -f '${rig.home}/go-on' ]; do sleep 0.05; done`
      const hook = `${wait}; printf '%s' '${JSON.stringify(rewritten)}'`
      await rig.write(userSettings, { hooks: { PreToolUse: commandHook(hook) } })
      const cli = await rig.start({
        sources: 'user',
        args: ['--include-hook-events'],
        hooks: { PreToolUse: () => undefined },
      })
      const call = async (nth: number, answer: (id: string) => Promise<unknown>): Promise<Frame> => {
        await rig.remove('go-on', 'project/ran', 'project/rewritten')
        rig.script(toolUse('Bash', { command: 'touch ran' }))
        const turn = cli.turn('go')
        await answer((await cli.request('hook_callback', nth)).request_id)
        await turn
        return {
          askedAbout: cli.requests('can_use_tool')[nth]?.input.command,
          ran: rig.which('project/ran', 'project/rewritten'),
        }
      }
      const ask = (id: string): void => cli.respond(id, preToolUse('ask'))
      return {
        hostFirst: await call(0, async (id) => {
          ask(id)
          // Answered in order: the CLI has the answer before this one.
          await cli.ask('mcp_status')
          await rig.write('go-on', '')
        }),
        hostLast: await call(1, async (id) => {
          await rig.write('go-on', '')
          await cli.frame({ subtype: 'hook_response' }, 1)
          ask(id)
        }),
      }
    },
  },
  {
    id: 'hook-overrides/mod-overrides-host',
    title:
      'A plugin’s code module overrides the host’s `deny`, however the plugin came in, unless all hooks are off',
    reliedOnBy: settings,
    security: true,
    since: {
      version: '2.1.287',
      withoutIt: 'Older versions load no code modules; what they do not load cannot override anything.',
    },
    expected: {
      on: { loaded: modForms, ranUnasked: modForms, listed: 0 },
      off: { loaded: [], ranUnasked: [], listed: 0 },
    },
    async observe(rig) {
      return { on: await runMods(rig, false), off: await runMods(await rig.sibling(), true) }
    },
  },
]
