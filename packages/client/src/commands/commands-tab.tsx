/** What runs for the session, with what it prints as it comes, and a way to stop each; then what has ended in the background. */
import type { Task } from '@dorkos/shared'
import { Bot, SquareTerminal } from 'lucide-react'
import type { PageSession } from '../live/page-session.ts'
import { SafeText } from '../render/safe-text.tsx'
import { Terminal } from '../render/terminal.tsx'
import { text } from '../text/panel-text.ts'
import { type Shape, StateGlyph } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { formatBytes } from '../ui/format.ts'
import type { Tone } from '../ui/notice.tsx'
import { Empty } from '../ui/page.tsx'
import { Loading } from '../ui/spinner.tsx'
import { commandOf, endedTasks, runningTasks } from './shown-tasks.ts'
import { StopTask } from './stop-task.tsx'
import { type FollowedOutput, useTaskOutput } from './use-task-output.ts'

const looks: Record<Task['status'], { shape: Shape; tone: Tone; moves?: boolean }> = {
  running: { shape: 'arc', tone: 'running', moves: true },
  completed: { shape: 'disc', tone: 'ok' },
  failed: { shape: 'cross', tone: 'danger' },
  stopped: { shape: 'square', tone: 'neutral' },
}

export function CommandsTab({ state }: { state: PageSession }) {
  const running = runningTasks(state.tasks).toReversed()
  const ended = endedTasks(state.tasks)
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-3">
      {running.length + ended.length === 0 && (
        <Empty icon={SquareTerminal} title={text.commands.none}>
          {text.commands.noneHint}
        </Empty>
      )}
      <TaskList title={text.commands.running} tasks={running} state={state} />
      <TaskList title={text.commands.ended} tasks={ended} state={state} />
    </div>
  )
}

interface TaskListProps {
  title: string
  tasks: readonly Task[]
  state: PageSession
}

function TaskList({ title, tasks, state }: TaskListProps) {
  if (tasks.length === 0) return null
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-xs font-medium text-soft">{title}</h2>
      <ul className="flex flex-col gap-2">
        {tasks.map((task) => (
          <li key={task.task_id}>
            <TaskCard sessionId={state.id} task={task} command={commandOf(state, task)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TaskCard({ sessionId, task, command }: { sessionId: string; task: Task; command: string }) {
  const isRunning = task.status === 'running'
  const where = task.background ? text.commands.background : text.commands.foreground
  const label = (
    <>
      <StateGlyph {...looks[task.status]} />
      <bdi className="min-w-0 flex-1 truncate font-medium">
        <SafeText text={task.label || command} />
      </bdi>
      <span className="shrink-0 text-xs text-soft">
        {isRunning ? where : text.commands.states[task.status]}
      </span>
    </>
  )
  return (
    <Disclosure
      look="head"
      icon={task.kind === 'agent' ? Bot : SquareTerminal}
      label={label}
      startsOpen={isRunning}
      className="overflow-hidden rounded-lg border border-line bg-card"
      bodyClassName="border-t border-line px-3 py-2"
    >
      <TaskBody sessionId={sessionId} task={task} command={command} />
      {isRunning && <StopTask sessionId={sessionId} task={task} name={task.label || command} />}
    </Disclosure>
  )
}

function TaskBody({ sessionId, task, command }: { sessionId: string; task: Task; command: string }) {
  if (task.kind === 'command') return <CommandOutput sessionId={sessionId} task={task} command={command} />
  return (
    <p className="pb-2 text-sm text-soft">
      {task.kind === 'agent' ? text.commands.agent : text.commands.other}
    </p>
  )
}

function CommandOutput({ sessionId, task, command }: { sessionId: string; task: Task; command: string }) {
  const { read, state, loadEarlier } = useTaskOutput(sessionId, task)
  if (state === 'loading') return <Loading />
  return (
    <>
      {read !== undefined && read.start > 0 && <Earlier bytes={read.start} onLoad={loadEarlier} />}
      <Terminal command={command} output={read?.text} running={task.status === 'running'} tail />
      <OutputState state={state} isRunning={task.status === 'running'} isEmpty={!read?.text} />
    </>
  )
}

function Earlier({ bytes, onLoad }: { bytes: number; onLoad: () => Promise<void> }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
      {text.commands.earlier(formatBytes(bytes))}
      <Button size="sm" variant="ghost" onClick={() => void onLoad().catch(() => undefined)}>
        {text.commands.showEarlier}
      </Button>
    </p>
  )
}

interface OutputStateProps {
  state: FollowedOutput['state']
  isRunning: boolean
  isEmpty: boolean
}

function OutputState({ state, isRunning, isEmpty }: OutputStateProps) {
  const words =
    state === 'failed'
      ? text.commands.disconnected
      : isRunning && isEmpty
        ? text.commands.noOutput
        : state === 'gone' && isEmpty
          ? text.commands.outputGone
          : undefined
  return words === undefined ? null : <p className="pb-2 text-xs text-soft">{words}</p>
}
