/** What a tool call would do, taken apart for showing it. Pure; the input is the model's, so nothing about it is sure. */
import { type Approval, isRecord } from '@dorkos/shared'

type Input = Readonly<Record<string, unknown>>

export interface CallChange {
  before: string
  after: string
  replaceAll: boolean
}

export type CallView =
  | {
      kind: 'command'
      command: string
      description: string | undefined
      background: boolean
      timeoutMs: number | undefined
      outsideSandbox: boolean
      /** What else the input holds. */
      rest: Input
    }
  | { kind: 'changes'; file: string; changes: CallChange[]; rest: Input }
  | { kind: 'write'; file: string; content: string; rest: Input }
  | { kind: 'cell'; file: string; content: string; deletes: boolean; rest: Input }
  | { kind: 'other'; input: Input }

/** A view only where the input is what the tool takes; else the plain input, so that nothing is hidden. */
export function callView({ tool, input }: Pick<Approval, 'tool' | 'input'>): CallView {
  // A tool's name is a server's choice: `constructor` is one, too.
  const view = Object.hasOwn(views, tool) ? views[tool]?.(input) : undefined
  return view ?? { kind: 'other', input }
}

const views: Record<string, (input: Input) => CallView | undefined> = {
  Bash: command,
  PowerShell: command,
  Edit(input) {
    const { file_path: file, ...rest } = input
    const change = changeOf(rest)
    if (typeof file !== 'string' || !change) return undefined
    return { kind: 'changes', file, changes: [change], rest: without(rest, changeKeys) }
  },
  MultiEdit({ file_path: file, edits, ...rest }) {
    if (typeof file !== 'string' || !Array.isArray(edits)) return undefined
    const changes = edits.map((edit: unknown) => (isRecord(edit) ? changeOf(edit) : undefined))
    if (!changes.every((change) => change !== undefined)) return undefined
    return { kind: 'changes', file, changes, rest }
  },
  Write({ file_path: file, content, ...rest }) {
    if (typeof file !== 'string' || typeof content !== 'string') return undefined
    return { kind: 'write', file, content, rest }
  },
  NotebookEdit({ notebook_path: file, new_source: content = '', edit_mode: mode, ...rest }) {
    if (typeof file !== 'string' || typeof content !== 'string') return undefined
    const shown = mode === 'delete' || mode === undefined ? rest : { edit_mode: mode, ...rest }
    return { kind: 'cell', file, content, deletes: mode === 'delete', rest: shown }
  },
}

function command(input: Input): CallView | undefined {
  const { command: line, description, run_in_background, timeout, dangerouslyDisableSandbox, ...rest } = input
  if (typeof line !== 'string') return undefined
  return {
    kind: 'command',
    command: line,
    description: typeof description === 'string' && description !== '' ? description : undefined,
    background: Boolean(run_in_background),
    timeoutMs: typeof timeout === 'number' ? timeout : undefined,
    outsideSandbox: Boolean(dangerouslyDisableSandbox),
    rest,
  }
}

const changeKeys = ['old_string', 'new_string', 'replace_all']

function changeOf(edit: Input): CallChange | undefined {
  const { old_string: before, new_string: after, replace_all } = edit
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  return { before, after, replaceAll: Boolean(replace_all) }
}

/** One line that distinguishes this call from others of the same tool. */
export function subjectOf({ tool, input }: Pick<Approval, 'tool' | 'input'>): string {
  const view = callView({ tool, input })
  if (view.kind === 'command') return oneLine(view.command)
  if (view.kind !== 'other') return view.file
  const question = Array.isArray(input.questions) ? (input.questions[0] as unknown) : undefined
  if (isRecord(question) && typeof question.question === 'string') return oneLine(question.question)
  const found = Object.hasOwn(mainFields, tool) ? input[mainFields[tool] ?? ''] : undefined
  if (typeof found === 'string' && found.trim() !== '') return oneLine(found)
  const json = JSON.stringify(input)
  return json === '{}' ? '' : oneLine(json)
}

/** The field that says most about a built-in tool's call. What other tools do with their fields is known to them alone: all are shown. */
const mainFields: Readonly<Record<string, string>> = {
  Agent: 'prompt',
  ExitPlanMode: 'plan',
  Glob: 'pattern',
  Grep: 'pattern',
  Read: 'file_path',
  Task: 'prompt',
  WebFetch: 'url',
  WebSearch: 'query',
  elicitation: 'message',
}

const longestLine = 300
const endOfLine = 100

/** Cut in the middle: the end of a command says as much as its beginning. A new line in it is a new command. */
function oneLine(value: string): string {
  const line = value.trim().replace(/\s+/g, (space) => (/[\n\r\u2028\u2029]/.test(space) ? ' ⏎ ' : ' '))
  if (line.length <= longestLine) return line
  return `${line.slice(0, longestLine - endOfLine)} … ${line.slice(-endOfLine)}`
}

/** `mcp__github__create_issue` as its server and its name. */
export function toolName(tool: string): { server: string | undefined; name: string } {
  const parts = /^mcp__(.+?)__(.+)$/s.exec(tool)
  return parts ? { server: parts[1], name: parts[2] ?? tool } : { server: undefined, name: tool }
}

function without(input: Input, keys: readonly string[]): Input {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)))
}
