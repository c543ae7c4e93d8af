/** What a tool call does, in a verb and a target: the line of its card. */
import type { Todo, ToolItem, ToolStatus } from '../../live/page-session.ts'
import type { conversationTools, Verb } from '../../text/en/conversation-tools.ts'
import { text } from '../../text/text.ts'
import { readPartialInput } from './partial-input.ts'
import { relativePath } from './relative-path.ts'

export type VerbName = keyof (typeof conversationTools)['verbs']

export interface ToolTitle {
  verb: VerbName
  /** What it is about; empty where the verb says all, or nothing is known yet. */
  target: string
  /** The target is code, a command or a path. */
  mono: boolean
  /** Said after the target, such as "in src". */
  note?: string | undefined
  /** The MCP server that the tool is from. */
  server?: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** The input, or what of it came so far. */
export function inputOf(item: Pick<ToolItem, 'input' | 'inputJson'>): Fields {
  return item.input ?? readPartialInput(item.inputJson)
}

export function toolTitle(
  item: Pick<ToolItem, 'name' | 'input' | 'inputJson'>,
  cwd: string | undefined,
  /** The tasks, of which some calls give the number only. */
  todos: readonly Todo[] = [],
): ToolTitle {
  const input = inputOf(item)
  const mcp = mcpName(item.name)
  if (mcp) return { verb: 'call', target: mcp.tool, mono: true, server: mcp.server }
  if (item.name === 'TaskUpdate') return { verb: 'changeTask', target: taskTarget(input, todos), mono: false }
  const known = Object.hasOwn(titles, item.name) ? titles[item.name] : undefined
  return known?.(input, cwd) ?? { verb: 'call', target: item.name, mono: true }
}

/** The form of a verb that fits how far the call is. */
export function verbText(verb: VerbName, status: ToolStatus): string {
  const forms: Verb = text.conversation.verbs[verb]
  if (status === 'running') return forms.doing
  return status === 'done' || status === 'failed' || status === 'interrupted' ? forms.done : forms.base
}

/** `mcp__github__create_issue` → github, create_issue. */
export function mcpName(name: string): { server: string; tool: string } | undefined {
  const match = /^mcp__(.+?)__(.+)$/s.exec(name)
  return match?.[1] !== undefined && match[2] !== undefined ? { server: match[1], tool: match[2] } : undefined
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** One line of it: cards have one. */
function line(value: unknown): string {
  const whole = string(value).trim()
  const end = whole.indexOf('\n')
  return end < 0 ? whole : `${whole.slice(0, end)} …`
}

type Titler = (input: Fields, cwd: string | undefined) => ToolTitle

function ofPath(verb: VerbName, field: string): Titler {
  return (input, cwd) => ({ verb, target: relativePath(string(input[field]), cwd), mono: true })
}

function plain(verb: VerbName, field?: string, mono = false): Titler {
  return (input) => ({ verb, target: field === undefined ? '' : line(input[field]), mono })
}

function within(input: Fields, cwd: string | undefined): string | undefined {
  const path = string(input.path)
  return path === '' ? undefined : text.conversation.inPath(relativePath(path, cwd))
}

const read: Titler = (input, cwd) => {
  const from = typeof input.offset === 'number' ? input.offset : undefined
  const count = typeof input.limit === 'number' ? input.limit : undefined
  const note =
    from === undefined || count === undefined
      ? undefined
      : text.conversation.linesFrom(from, from + Math.max(count, 1) - 1)
  return { ...ofPath('read', 'file_path')(input, cwd), note }
}

const questions: Titler = (input) => {
  const list = Array.isArray(input.questions) ? input.questions : []
  const first: unknown = list[0]
  const question = typeof first === 'object' && first !== null ? line((first as Fields).question) : ''
  const target = list.length > 1 ? text.conversation.questions(list.length) : question
  return { verb: 'ask', target, mono: false }
}

const agent: Titler = (input) => ({
  verb: 'delegate',
  target: line(input.description) || line(input.prompt),
  mono: false,
  note: string(input.subagent_type) || undefined,
})

const titles: Readonly<Record<string, Titler>> = {
  Bash: plain('run', 'command', true),
  PowerShell: plain('run', 'command', true),
  BashOutput: (input) => ({
    verb: 'output',
    target: string(input.bash_id) || string(input.task_id),
    mono: true,
  }),
  TaskOutput: plain('output', 'task_id', true),
  KillShell: plain('stop', 'shell_id', true),
  TaskStop: plain('stop', 'task_id', true),
  Edit: ofPath('edit', 'file_path'),
  MultiEdit: ofPath('edit', 'file_path'),
  NotebookEdit: ofPath('edit', 'notebook_path'),
  Write: ofPath('write', 'file_path'),
  Read: read,
  NotebookRead: ofPath('read', 'notebook_path'),
  Grep: (input, cwd) => ({
    verb: 'search',
    target: line(input.pattern),
    mono: true,
    note: within(input, cwd),
  }),
  Glob: (input, cwd) => ({ verb: 'find', target: line(input.pattern), mono: true, note: within(input, cwd) }),
  LS: ofPath('list', 'path'),
  WebFetch: plain('fetch', 'url', true),
  WebSearch: plain('searchWeb', 'query'),
  AskUserQuestion: questions,
  ExitPlanMode: plain('plan'),
  EnterPlanMode: plain('enterPlan'),
  TodoWrite: plain('todo'),
  TaskCreate: plain('addTask', 'subject'),
  TaskList: plain('readTasks'),
  TaskGet: plain('readTasks'),
  Agent: agent,
  Task: agent,
  Skill: (input) => ({ verb: 'skill', target: line(input.skill) || line(input.command), mono: true }),
  SlashCommand: plain('command', 'command', true),
  SendMessage: plain('message', 'to'),
  ToolSearch: plain('tools', 'query', true),
}

function taskTarget(input: Fields, todos: readonly Todo[]): string {
  const id = string(input.taskId)
  const status = string(input.status).replaceAll('_', ' ')
  const subject = line(input.subject) || line(todos.find((todo) => todo.id === id)?.content)
  return [subject || (id && `#${id}`), status].filter((part) => part !== '').join(' · ')
}
