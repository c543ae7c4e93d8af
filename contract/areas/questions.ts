/** Questions about tools: what the host is asked, and what its answers do. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import type { Rig, StartOptions } from '../rig.ts'

const requests = ['packages/claude-code-agent/src/protocol/permission-requests.ts']
const gate = ['packages/server/src/adapters/claude/permission-options.ts']

/** One Bash call with this host. */
async function bash(rig: Rig, options: StartOptions = {}): Promise<Cli> {
  const cli = await rig.start(options)
  rig.script(toolUse('Bash', { command: 'touch ran' }))
  await cli.turn('go')
  return cli
}

const lastResult = (rig: Rig): string => rig.asked.at(-1)?.toolResults.at(-1)?.text ?? ''

/** A server of its own process, whose tool asks for a form and gives back what it was answered. */
const askingServer = `
import { createInterface } from 'node:readline'
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const form = { type: 'object', properties: { name: { type: 'string' } } }
let call
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === 'initialize') {
    const serverInfo = { name: 'f', version: '1.0.0' }
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } })
  } else if (method === 'tools/list') {
    send({ id, result: { tools: [{ name: 't', inputSchema: { type: 'object', properties: {} } }] } })
  } else if (method === 'tools/call') {
    call = id
    send({ id: 'form', method: 'elicitation/create', params: { message: 'Who?', requestedSchema: form } })
  } else if (id === 'form') {
    send({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(result) }] } })
  } else if (id !== undefined) send({ id, result: {} })
})
`

export const questionCases: ContractCase[] = [
  {
    id: 'questions/form',
    title:
      'A form of a server that the CLI runs comes to the host, whose answer the server gets; where the host cannot answer, it is cancelled',
    reliedOnBy: [
      'packages/claude-code-agent/src/protocol/elicitation.ts',
      'packages/server/src/adapters/claude/permission-options.ts',
    ],
    security: true,
    expected: {
      asked: { mcp_server_name: 'f', message: 'Who?', mode: 'form', fields: ['name'] },
      accepted: { action: 'accept', content: { name: 'Ann' } },
      declined: { action: 'decline' },
      failed: { action: 'cancel' },
    },
    async observe(rig) {
      const command = { command: process.execPath, args: [await rig.write('server.mjs', askingServer)] }
      let answer: Frame
      const cli = await rig.start({
        args: [`--mcp-config=${JSON.stringify({ mcpServers: { f: command } })}`, '--strict-mcp-config'],
        onRequest: ({ subtype }, id) => {
          if (subtype !== 'elicitation') return
          if (answer === undefined) cli.refuse(id, 'failed')
          else cli.respond(id, answer)
        },
      })
      const answeredWith = async (given: Frame): Promise<Frame> => {
        answer = given
        rig.script(toolUse('mcp__f__t', {}))
        await cli.turn('go')
        return JSON.parse(lastResult(rig))
      }
      const accepted = await answeredWith({ action: 'accept', content: { name: 'Ann' } })
      const [{ mcp_server_name, message, mode, requested_schema }] = cli.requests('elicitation')
      const asked = { mcp_server_name, message, mode, fields: Object.keys(requested_schema.properties) }
      const declined = await answeredWith({ action: 'decline' })
      return { asked, accepted, declined, failed: await answeredWith(undefined) }
    },
  },
  {
    id: 'questions/question',
    title: 'A question has the tool, its input, its id, and what could be allowed for good',
    reliedOnBy: requests,
    expected: { missing: [], suggested: ['addDirectories', 'addRules', 'setMode'] },
    async observe(rig) {
      const cli = await bash(rig)
      const [question] = cli.requests('can_use_tool')
      const fields = ['tool_name', 'input', 'tool_use_id', 'permission_suggestions', 'description']
      return {
        missing: fields.filter((name) => question?.[name] === undefined),
        suggested: question.permission_suggestions.map((one: Frame) => one.type).sort(),
      }
    },
  },
  {
    id: 'questions/answers',
    title: 'Only `behavior: allow` lets a call run, with the input that the host gives; anything else denies',
    reliedOnBy: requests,
    security: true,
    expected: { plain: ['original'], changed: ['changed'], unknown: [], refused: [], denied: [] },
    async observe(rig) {
      let answer: Frame
      const cli = await rig.start({
        permit: () => answer,
        onRequest: ({ subtype }, id) => {
          if (subtype === 'can_use_tool' && answer === undefined) cli.refuse(id, 'failed')
        },
      })
      const ranWith = async (given: Frame): Promise<string[]> => {
        answer = given
        rig.script(toolUse('Bash', { command: 'touch original' }))
        await cli.turn('go')
        const ran = rig.which('project/original', 'project/changed').map((path) => path.slice(8))
        await rig.remove('project/original', 'project/changed')
        return ran
      }
      return {
        plain: await ranWith({ behavior: 'allow' }),
        changed: await ranWith({ behavior: 'allow', updatedInput: { command: 'touch changed' } }),
        unknown: await ranWith({ allowed: true }),
        refused: await ranWith(undefined),
        denied: await ranWith({ behavior: 'deny', message: 'no' }),
      }
    },
  },
  {
    id: 'questions/deny-message',
    title: 'The message of a denial is what the model reads',
    reliedOnBy: requests,
    expected: { toModel: 'ask somebody else', result: 'success' },
    async observe(rig) {
      const cli = await bash(rig, { permit: () => ({ behavior: 'deny', message: 'ask somebody else' }) })
      return { toModel: lastResult(rig), result: cli.all({ type: 'result' })[0].subtype }
    },
  },
  {
    id: 'questions/deny-interrupt',
    title: 'A denial with `interrupt` ends the turn like an interrupt',
    reliedOnBy: requests,
    expected: { subtype: 'error_during_execution', reason: 'aborted_tools' },
    async observe(rig) {
      const cli = await bash(rig, { permit: () => ({ behavior: 'deny', message: 'no', interrupt: true }) })
      const [result] = cli.all({ type: 'result' })
      return { subtype: result.subtype, reason: result.terminal_reason }
    },
  },
  {
    id: 'questions/withdrawn',
    title: 'An interrupt withdraws the question that is open, and a late answer does nothing',
    reliedOnBy: ['packages/claude-code-agent/src/protocol/control-channel.ts'],
    expected: { withdrawn: true, ran: false, next: 'success' },
    async observe(rig) {
      const cli = await rig.start({ permit: () => undefined })
      rig.script(toolUse('Bash', { command: 'touch ran' }))
      cli.say('go')
      const { request_id } = await cli.request('can_use_tool')
      await cli.ask('interrupt')
      const withdrawn = await cli.frame({ type: 'control_cancel_request' })
      await cli.result()
      cli.respond(request_id, { behavior: 'allow' })
      rig.script('next')
      cli.say('next')
      return {
        withdrawn: withdrawn.request_id === request_id,
        next: (await cli.result(1)).subtype,
        ran: rig.has('project/ran'),
      }
    },
  },
  {
    id: 'questions/nobody-there',
    title:
      'With nobody to ask, a call is denied, reported as `permission_denied`, and the turn ends as a success',
    reliedOnBy: ['packages/server/src/core/permissions/session-permissions.ts'],
    expected: { denied: ['Bash'], listed: ['Bash'], result: 'success', ran: false },
    async observe(rig) {
      const cli = await bash(rig, { prompts: 'nobody' })
      const [result] = cli.all({ type: 'result' })
      return {
        denied: cli.all({ subtype: 'permission_denied' }).map((frame) => frame.tool_name),
        listed: result.permission_denials.map((one: Frame) => one.tool_name),
        result: result.subtype,
        ran: rig.has('project/ran'),
      }
    },
  },
  {
    id: 'questions/question-tool',
    title: '`AskUserQuestion` comes as a question of its own kind; answers go into its input',
    reliedOnBy: ['packages/server/src/core/permissions/check-answer.ts'],
    expected: { interaction: true, toModel: true },
    async observe(rig) {
      const questions = [
        {
          question: 'Which?',
          header: 'Pick',
          multiSelect: false,
          options: [
            { label: 'Left', description: 'l' },
            { label: 'Right', description: 'r' },
          ],
        },
      ]
      const cli = await rig.start({
        permit: ({ input }) => ({
          behavior: 'allow',
          updatedInput: { ...input, answers: { 'Which?': 'Right' } },
        }),
      })
      rig.script(toolUse('AskUserQuestion', { questions }))
      await cli.turn('go')
      return {
        interaction: cli.requests('can_use_tool')[0]?.requires_user_interaction,
        toModel: lastResult(rig).includes('Right'),
      }
    },
  },
  {
    id: 'questions/plan-accepted',
    title: 'A plan is asked about; its acceptance can change the mode for the session',
    reliedOnBy: gate,
    expected: { asked: ['ExitPlanMode'], mode: 'acceptEdits' },
    async observe(rig) {
      const cli = await rig.start({
        args: ['--permission-mode=plan'],
        settings: { useAutoModeDuringPlan: false },
        permit: ({ input }) => ({
          behavior: 'allow',
          updatedInput: input,
          updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
        }),
      })
      rig.script(toolUse('ExitPlanMode', { plan: 'do it' }))
      await cli.turn('go')
      return {
        asked: cli.requests('can_use_tool').map((request) => request.tool_name),
        mode: cli.all({ subtype: 'status' }).at(-1)?.permissionMode,
      }
    },
  },
]
