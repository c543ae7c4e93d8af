/** What the host's hooks say besides yes and no to a call. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Frame } from '../cli.ts'
import { commandHook } from '../host-answers.ts'
import type { Rig, StartOptions } from '../rig.ts'

const gate = ['packages/server/src/adapters/claude/permission-options.ts']
const output = ['packages/server/src/core/hooks/hook-output.ts']
const settingsFile = '.claude/settings.json'

const events = ['UserPromptSubmit', 'UserPromptExpansion', 'PreToolUse', 'PostToolUse']

function context(hookEventName: string, additionalContext: string): Frame {
  return { hookSpecificOutput: { hookEventName, additionalContext } }
}

/** Which of these texts the model got. */
const modelGot = (rig: Rig, texts: string[]): string[] =>
  texts.filter((text) => rig.asked.some((request) => request.newText.includes(text)))

/** A hook and a rule come into a settings file while a session runs, and the host answers this. Gives what came of them. */
async function change(
  rig: Rig,
  verdict: Frame,
): Promise<{ received: Frame; effects: Frame; askedAfterFlags: number }> {
  await rig.write(settingsFile, {})
  let received: Frame
  const cli = await rig.start({
    sources: 'user',
    hooks: {
      ConfigChange: (input) => {
        received = input
        return verdict
      },
    },
  })
  await cli.turn('one')
  await rig.write(settingsFile, {
    hooks: { UserPromptSubmit: commandHook(await rig.marker('hook')) },
    permissions: { allow: ['Bash'] },
  })
  await rig.poll(() => received !== undefined)
  rig.script(toolUse('Bash', { command: 'touch ran' }))
  await cli.turn('two')
  const listing = await cli.ask('get_hooks_listing')
  const asked = cli.requests('can_use_tool').length
  const effects = { hookListed: listing.response.hooks.length, hookRan: rig.has('hook'), asked }
  await cli.ask('apply_flag_settings', { settings: { effortLevel: 'low' } })
  rig.script(toolUse('Bash', { command: 'touch ran' }))
  await cli.turn('three')
  return { received, effects, askedAfterFlags: cli.requests('can_use_tool').length - asked }
}

export const hookAnswerCases: ContractCase[] = [
  {
    id: 'hook-answers/config-change',
    title:
      'The host’s `ConfigChange` hook hears of a changed settings file; its `decision: block` keeps hooks and rules out, `continue: false` does not, and `apply_flag_settings` lets in what was kept out',
    reliedOnBy: [...gate, 'packages/server/src/adapters/claude/flag-settings.ts'],
    security: true,
    expected: {
      fields: ['cwd', 'file_path', 'hook_event_name', 'prompt_id', 'session_id', 'source', 'transcript_path'],
      unanswered: { hookListed: 1, hookRan: true, asked: 0 },
      blocked: { hookListed: 0, hookRan: false, asked: 1 },
      blockedThenFlags: 0,
      notContinued: { hookListed: 1, hookRan: true, asked: 0 },
    },
    async observe(rig) {
      const { received, effects: unanswered } = await change(rig, {})
      const block = { decision: 'block', reason: 'no' }
      const { effects: blocked, askedAfterFlags } = await change(await rig.sibling(), block)
      const { effects: notContinued } = await change(await rig.sibling(), { continue: false })
      return {
        fields: Object.keys(received).sort(),
        ...{ unanswered, blocked, blockedThenFlags: askedAfterFlags, notContinued },
      }
    },
  },
  {
    id: 'hook-answers/context',
    title:
      '`additionalContext` of the host’s hooks reaches the model, with a message, a typed skill, a call and its result',
    reliedOnBy: output,
    expected: { received: events.map((event) => `FROM ${event}`) },
    async observe(rig) {
      await rig.write('.claude/skills/sk/SKILL.md', '---\nname: sk\ndescription: d\n---\nsk\n')
      const hooks: StartOptions['hooks'] = Object.fromEntries(
        events.map((event) => [event, () => context(event, `FROM ${event}`)]),
      )
      const cli = await rig.start({ sources: 'user', hooks })
      rig.script(toolUse('Bash', { command: 'true' }))
      await cli.turn('/sk')
      const texts = events.map((event) => `FROM ${event}`)
      return { received: modelGot(rig, texts) }
    },
  },
  {
    id: 'hook-answers/two-hooks',
    title: 'Two hooks of the host for one event are both heard',
    reliedOnBy: gate,
    expected: { received: ['FROM one', 'FROM two'] },
    async observe(rig) {
      const names = ['one', 'two']
      const UserPromptSubmit = names.map((name) => ({ hookCallbackIds: [name] }))
      const answers = names.map((name) => [name, () => context('UserPromptSubmit', `FROM ${name}`)])
      const cli = await rig.start({
        initialize: { hooks: { UserPromptSubmit } },
        hooks: Object.fromEntries(answers),
      })
      await cli.turn('go')
      return { received: modelGot(rig, ['FROM one', 'FROM two']) }
    },
  },
  {
    id: 'hook-answers/stop-goes-on',
    title:
      '`decision: block` of the host’s `Stop` hook makes the agent go on in the same turn, with the reason',
    reliedOnBy: output,
    expected: { active: [false, true], calls: 2, received: ['NOT YET'], results: 1 },
    async observe(rig) {
      const active: boolean[] = []
      const cli = await rig.start({
        hooks: {
          Stop: ({ stop_hook_active }) => {
            active.push(stop_hook_active)
            return stop_hook_active ? {} : { decision: 'block', reason: 'NOT YET' }
          },
        },
      })
      await cli.turn('go')
      return {
        active,
        calls: rig.asked.length,
        received: modelGot(rig, ['NOT YET']),
        results: cli.all({ type: 'result' }).length,
      }
    },
  },
]
