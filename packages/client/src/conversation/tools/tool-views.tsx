/** Which tool is shown how. A tool that is not named here is shown by its input and output. */
import {
  BookOpen,
  Bot,
  CircleHelp,
  FilePen,
  FilePlus,
  FileSearch,
  FileText,
  Folder,
  Globe,
  ListTodo,
  type LucideIcon,
  Map as MapIcon,
  Plug,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { ToolItem, ToolStatus } from '../../live/page-session.ts'
import { deferred } from '../../ui/deferred.tsx'
import type { ToolBodyProps } from './tool-body.ts'

export interface ToolView {
  readonly icon: LucideIcon
  readonly Body: ComponentType<ToolBodyProps>
  /** Open until the reader closes it. */
  readonly opensItself?: (item: ToolItem, status: ToolStatus) => boolean
}

type BodyName = keyof typeof import('./tool-bodies.tsx')
const body = (name: BodyName) =>
  deferred<ToolBodyProps>(async () => (await import('./tool-bodies.tsx'))[name])

const AgentView = body('AgentView')
const BashView = body('BashView')
const EditView = body('EditView')
const GenericView = body('GenericView')
const PlanView = body('PlanView')
const QuestionView = body('QuestionView')
const ReadView = body('ReadView')
const SearchView = body('SearchView')
const TodoView = body('TodoView')
const WebView = body('WebView')

const isRunning = (_item: ToolItem, status: ToolStatus) => status === 'running' || status === 'writing'
const command: ToolView = { icon: SquareTerminal, Body: BashView }
const edit: ToolView = { icon: FilePen, Body: EditView }
const agent: ToolView = { icon: Bot, Body: AgentView, opensItself: (_item, status) => status === 'running' }
const todo: ToolView = { icon: ListTodo, Body: TodoView }
const generic: ToolView = { icon: Wrench, Body: GenericView }
const mcp: ToolView = { icon: Plug, Body: GenericView }

const views: Readonly<Record<string, ToolView>> = {
  Bash: command,
  PowerShell: command,
  BashOutput: { icon: SquareTerminal, Body: GenericView },
  TaskOutput: { icon: SquareTerminal, Body: GenericView },
  Edit: edit,
  MultiEdit: edit,
  NotebookEdit: edit,
  Write: { icon: FilePlus, Body: EditView },
  Read: { icon: FileText, Body: ReadView },
  NotebookRead: { icon: FileText, Body: ReadView },
  Grep: { icon: Search, Body: SearchView },
  Glob: { icon: FileSearch, Body: SearchView },
  LS: { icon: Folder, Body: SearchView },
  WebFetch: { icon: Globe, Body: WebView },
  WebSearch: { icon: Globe, Body: WebView },
  AskUserQuestion: { icon: CircleHelp, Body: QuestionView, opensItself: () => true },
  ExitPlanMode: { icon: MapIcon, Body: PlanView, opensItself: (item, status) => !isRunning(item, status) },
  TodoWrite: todo,
  TaskCreate: todo,
  TaskUpdate: todo,
  TaskList: todo,
  Agent: agent,
  Task: agent,
  Skill: { icon: BookOpen, Body: GenericView },
  SlashCommand: { icon: BookOpen, Body: GenericView },
}

export function toolView(name: string): ToolView {
  return Object.hasOwn(views, name) ? (views[name] ?? generic) : name.startsWith('mcp__') ? mcp : generic
}
