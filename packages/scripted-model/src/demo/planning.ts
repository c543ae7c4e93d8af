import { text, toolUse } from '../block.ts'
import { type Reply, reply } from '../reply.ts'
import { textParts } from '../request-body.ts'
import { callTool, type Exchange, offeredTool, say } from './exchange.ts'
import { report } from './report.ts'

const ITEMS = [
  { content: 'Look at what there is', activeForm: 'Looking at what there is' },
  { content: 'Make the change', activeForm: 'Making the change' },
  { content: 'Check that it works', activeForm: 'Checking that it works' },
]

const PLAN = ['# Demo plan', '', ...ITEMS.map(({ content }, index) => `${index + 1}. ${content}.`), ''].join(
  '\n',
)

/** A plan to approve in plan mode; elsewhere a to-do list, and a word on how to get the other. */
export function plan(exchange: Exchange): Reply {
  const failed = exchange.calls.find(({ name, result }) => name !== 'Write' && result?.isError === true)
  if (failed !== undefined) return say(report(failed, ''))
  if (exchange.calls.some(({ name }) => name === 'ExitPlanMode')) return say(APPROVED)
  if (inPlanMode(exchange)) return planMode(exchange)
  const list = toDoList(exchange)
  if (exchange.calls.length > 0 || list.kind !== 'message') return list
  return { ...list, blocks: [text(NOT_IN_PLAN_MODE), ...list.blocks] }
}

const NOT_IN_PLAN_MODE =
  'This session is not in plan mode, so there is no plan to approve: choose the mode Plan and say `plan` again for that.\n\n'

/** A to-do list that is worked off, with the tool that the CLI offers for it. */
export function toDoList(exchange: Exchange): Reply {
  const failed = exchange.calls.find(({ result }) => result?.isError === true)
  if (failed !== undefined) return say(report(failed, ''))
  if (offeredTool(exchange, 'TodoWrite') !== undefined) return todoList(exchange)
  if (offeredTool(exchange, 'TaskCreate') !== undefined) return taskList(exchange)
  return say(`This session offers no tool for to-do lists, so here is the plan as text.\n\n${PLAN}`)
}

const APPROVED =
  'The plan was approved, and the session has left plan mode. As a demo model I have nothing to carry out.'

/** The CLI announces the mode to the model in its messages, and announces its end too. The newest message counts. */
function inPlanMode({ request }: Exchange): boolean {
  const notice = request.messages
    .flatMap(({ content }) => textParts(content))
    .findLast((part) => /Plan mode (is|still) active|## Exited Plan Mode/.test(part))
  return notice !== undefined && !notice.includes('## Exited Plan Mode')
}

/** The CLI shows a person the file that it named for the plan, not what the call says (2.1.325). */
function planMode(exchange: Exchange): Reply {
  const file = exchange.request.messages
    .flatMap(({ content }) => textParts(content))
    .map((part) => /plan (?:at|file already exists at|file exists at) (\S+\.md)/i.exec(part)?.[1])
    .findLast((path) => path !== undefined)
  const written = exchange.calls.some(({ name }) => name === 'Write')
  if (file !== undefined && !written && offeredTool(exchange, 'Write') !== undefined) {
    return reply([text('I write down a small plan.'), toolUse('Write', { file_path: file, content: PLAN })])
  }
  return callTool(exchange, {
    name: 'ExitPlanMode',
    input: { plan: PLAN },
    announce: 'This is the plan. I ask for your approval.',
    report: () => APPROVED,
  })
}

const DONE = 'All three items of the to-do list are done. It was only a demo: nothing was changed.'

function todoList(exchange: Exchange): Reply {
  const done = exchange.calls.length
  if (done > ITEMS.length) return say(DONE)
  const todos = ITEMS.map((item, index) => ({
    ...item,
    status: index < done ? 'completed' : index === done ? 'in_progress' : 'pending',
  }))
  const call = toolUse('TodoWrite', { todos })
  return reply(done === 0 ? [text('I make a to-do list and work it off.'), call] : [call])
}

/** The list of newer CLIs: one call an item, which gets a number. */
function taskList({ calls }: Exchange): Reply {
  const created = calls.filter(({ name }) => name === 'TaskCreate')
  if (created.length === 0) {
    const creates = ITEMS.map(({ content, activeForm }) =>
      toolUse('TaskCreate', { subject: content, description: `${content}.`, activeForm }),
    )
    return reply([text('I make a to-do list and work it off.'), ...creates])
  }
  const ids = created.flatMap(({ result }) => /Task #(\d+)/.exec(result?.text ?? '')?.[1] ?? [])
  const updates = calls.filter(({ name }) => name === 'TaskUpdate')
  const done = updates.filter(({ input }) => input.status === 'completed').length
  const [taskId] = ids.slice(done)
  if (taskId === undefined) return say(DONE)
  const started = updates.some(({ input }) => input.taskId === taskId)
  return reply([toolUse('TaskUpdate', { taskId, status: started ? 'completed' : 'in_progress' })])
}
