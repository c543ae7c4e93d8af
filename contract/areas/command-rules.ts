/** Rules for commands that begin alike: the CLI alone takes a command apart, and is given the rules while it runs. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { preToolUse } from '../host-answers.ts'
import type { Rig, StartOptions } from '../rig.ts'

const given = ['packages/server/src/adapters/claude/command-rules.ts']
const decided = ['packages/server/src/core/permissions/decide.ts']
const rule = 'Bash(./tool.sh one *)'

/** A CLI whose host denies all that it is asked. */
const start = (rig: Rig, options: StartOptions = {}): Promise<Cli> =>
  rig.start({ permit: () => ({ behavior: 'deny', message: 'no' }), ...options })

const allow = (cli: Cli, rules: string[]): Promise<Frame> =>
  cli.ask('apply_flag_settings', { settings: { permissions: { allow: rules } } })

/** Runs these in one turn, and gives the questions that came of them. */
async function questions(rig: Rig, cli: Cli, calls: Frame[], tool = 'Bash'): Promise<Frame[]> {
  const before = cli.requests('can_use_tool').length
  rig.script(...calls.map((input) => toolUse(tool, { description: 'd', ...input })))
  await cli.turn('go')
  return cli.requests('can_use_tool').slice(before)
}

async function asked(rig: Rig, cli: Cli, commands: readonly string[]): Promise<string[]> {
  const calls = commands.map((command) => ({ command }))
  return (await questions(rig, cli, calls)).map(({ input }) => input.command)
}

const other = 'touch ran'
const covered = ['./tool.sh one', './tool.sh one two', `./tool.sh one "${other}"`, './tool.sh one \\\n two']
const chained = [
  ...[
    `./tool.sh one; ${other}`,
    `./tool.sh one && ${other}`,
    `./tool.sh one || ${other}`,
    `./tool.sh one & ${other}`,
  ],
  ...[
    `./tool.sh one | ${other}`,
    `./tool.sh one |& ${other}`,
    `./tool.sh one\n${other}`,
    `./tool.sh one\n\n${other}`,
  ],
  ...[`./tool.sh one $(${other})`, `./tool.sh one "$(${other})"`, `./tool.sh one \`${other}\``],
  ...[`./tool.sh one <(${other})`, `./tool.sh one >(${other})`, `./tool.sh one <<< "$(${other})"`],
  ...[
    `./tool.sh one <<EOF\n$(${other})\nEOF`,
    './tool.sh one > ran',
    './tool.sh one >| ran',
    './tool.sh one &> ran',
  ],
  ...[`./tool.sh one # x\n${other}`, `time ./tool.sh one\n${other}`, `tool() { ${other}; }; tool one`],
  ...[`{ ./tool.sh one; ${other}; }`, `(./tool.sh one; ${other})`, `if ./tool.sh one; then ${other}; fi`],
  ...['PATH=. ./tool.sh one', 'LD_PRELOAD=./x ./tool.sh one', 'eval ./tool.sh one', './tool.sh oneself'],
]
const unseen = [`./tool.sh one\r\n${other}`, `./tool.sh one\r${other}`, `./tool.sh one\f\n${other}`]

export const commandRuleCases: ContractCase[] = [
  {
    id: 'command-rules/one-command',
    title:
      'A rule for commands that begin alike is for one command: what is chained, nested, redirected or on another line still asks',
    reliedOnBy: given,
    security: true,
    expected: { without: covered, alone: [], chained, unseen: [], ran: false },
    async observe(rig) {
      const cli = await start(rig)
      const without = await asked(rig, cli, covered)
      await allow(cli, [rule])
      return {
        without,
        alone: await asked(rig, cli, covered),
        chained: await asked(rig, cli, chained),
        // Refused as an input, before anybody is asked.
        unseen: await asked(rig, cli, unseen),
        ran: rig.has('project/ran'),
      }
    },
  },
  {
    id: 'command-rules/given-and-taken',
    title:
      'Rules that the host gives while its `PreToolUse` hook is open hold for that call; taken away, they do not; those of the start stay',
    reliedOnBy: given,
    security: true,
    expected: { before: 1, given: 0, withEffort: 0, taken: 1, rules: ['deny Read(//etc/**)'], files: [] },
    async observe(rig) {
      let rules: string[] = []
      const cli: Cli = await start(rig, {
        settings: { permissions: { deny: ['Read(//etc/**)'] } },
        hooks: { PreToolUse: () => undefined },
        onRequest: (request, id) => {
          if (request.subtype === 'hook_callback') void allow(cli, rules).then(() => cli.respond(id, {}))
        },
      })
      const count = async () => (await asked(rig, cli, ['./tool.sh one'])).length
      const before = await count()
      rules = [rule]
      const whenGiven = await count()
      await cli.ask('apply_flag_settings', { settings: { effortLevel: 'low' } })
      const withEffort = await count()
      rules = []
      const taken = await count()
      const listed = (await cli.ask('list_permission_rules')).response.state.rules
      return {
        before,
        given: whenGiven,
        withEffort,
        taken,
        rules: listed.map((one: Frame) => `${one.behavior} ${one.rule}`),
        files: rig.which('.claude/settings.json', 'project/.claude/settings.local.json'),
      }
    },
  },
  {
    id: 'command-rules/host-asks',
    title: 'The host’s `ask` and its deny rules count more than a rule for commands that it gave',
    reliedOnBy: [...given, ...decided],
    security: true,
    expected: { withAsk: ['./tool.sh one'], asked: [], denied: true },
    async observe(rig) {
      const asking = await start(rig, { hooks: { PreToolUse: () => preToolUse('ask') } })
      await allow(asking, [rule])
      const withAsk = await asked(rig, asking, ['./tool.sh one'])
      const denying = await start(rig, { settings: { permissions: { deny: ['Bash(./tool.sh one ran)'] } } })
      await allow(denying, [rule])
      const calls = await asked(rig, denying, ['./tool.sh one ran'])
      const result = rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''
      return { withAsk, asked: calls, denied: /denied/.test(result) }
    },
  },
  {
    id: 'command-rules/monitor',
    title: 'A rule for Bash lets a Monitor of that command run as well, so the host asks about those itself',
    reliedOnBy: decided,
    expected: { without: 1, given: 0 },
    async observe(rig) {
      const cli = await start(rig)
      const call = { command: './tool.sh one', timeout_ms: 1000, persistent: false }
      const without = (await questions(rig, cli, [call], 'Monitor')).length
      await allow(cli, [rule])
      return { without, given: (await questions(rig, cli, [call], 'Monitor')).length }
    },
  },
  {
    id: 'command-rules/proposed',
    title: 'The CLI proposes one rule with a star for plain commands, none or more than that for others',
    reliedOnBy: given,
    expected: {
      proposed: {
        'npm test': [['npm test *']],
        './tool.sh check x': [['./tool.sh check *']],
        'python3 x.py': [['python3 x.py']],
        'sudo npm test': [['sudo npm test']],
        'npm test; go test': [['npm test *', 'go test *']],
        'npm test $(pwd)': [],
      },
    },
    async observe(rig) {
      const cli = await start(rig)
      const commands = [
        'npm test',
        './tool.sh check x',
        'python3 x.py',
        'sudo npm test',
        'npm test; go test',
        'npm test $(pwd)',
      ]
      const seen = await questions(
        rig,
        cli,
        commands.map((command) => ({ command })),
      )
      const contents = ({ rules = [] }: Frame) => rules.map((one: Frame) => one.ruleContent)
      return {
        proposed: Object.fromEntries(
          seen.map(({ input, permission_suggestions }) => [
            input.command,
            permission_suggestions.map(contents),
          ]),
        ),
      }
    },
  },
]
