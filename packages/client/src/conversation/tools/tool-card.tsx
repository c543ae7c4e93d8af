/** One tool call: a line that says it all, and what is behind it. */
import type { ApprovalKind } from '@dorkos/shared'
import { PenLine, UserRoundCheck } from 'lucide-react'
import { memo, useContext } from 'react'
import { decisionWords } from '../../approvals/decision.ts'
import { DecisionLine } from '../../approvals/decision-line.tsx'
import { ApprovalCard } from '../../approvals/deferred-approval-card.tsx'
import type { ToolItem, ToolStatus } from '../../live/page-session.ts'
import { SafeText, withVisibleControls } from '../../render/safe-text.tsx'
import { text } from '../../text/text.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/class-names.ts'
import { deferred } from '../../ui/deferred.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import {
  TodosContext,
  useAnswered,
  useApproval,
  useConversation,
  useOpened,
} from '../conversation-context.tsx'
import { useCallsBehind } from './calls-behind.ts'
import { commandResult, resultText } from './result-parts.ts'
import { NotStarted, ToolStatusView, ToolTime } from './tool-status.tsx'
import { inputOf, type ToolTitle, toolTitle, verbText } from './tool-title.ts'
import { toolView } from './tool-views.tsx'

const OutputRest = deferred(async () => (await import('./output-rest.tsx')).OutputRest)
const JsonView = deferred(async () => (await import('../../render/json-view.tsx')).JsonView)

export const ToolCard = memo(function ToolCard({ item }: { item: ToolItem }) {
  const { cwd } = useConversation()
  const todos = useContext(TodosContext)
  const status = effectiveStatus(item)
  const view = toolView(item.name)
  const approval = useApproval(item.approvalId)
  const onAnswered = useAnswered(item.approvalId)
  const isAsked = status === 'waiting' && approval?.state === 'pending'
  const behind = useCallsBehind()
  const opened = useOpened(item.key, view.opensItself?.(item, status) ?? false)
  if (isAsked) {
    return (
      <div className="py-1.5">
        <ApprovalCard approval={approval} variant="flow" onAnswered={onAnswered} />
      </div>
    )
  }
  const isBehind = status === 'running' && behind.has(item.callId)
  const ran = asItRan(item)
  const label = (
    <>
      <ToolLine title={toolTitle(ran, cwd, todos)} status={isBehind ? 'waiting' : status} name={item.name} />
      <span className="ml-auto flex shrink-0 items-center gap-2">
        {isBehind ? (
          <NotStarted />
        ) : (
          <>
            <AllowedMark item={item} />
            <HeadTime item={item} status={status} />
            <ToolStatusView status={status} note={statusNote(item, status)} />
          </>
        )}
      </span>
    </>
  )
  return (
    <div className="py-1">
      <Disclosure
        look="head"
        icon={view.icon}
        label={label}
        opened={opened}
        note={<CallNote item={item} status={status} open={opened[0]} />}
        className="overflow-hidden rounded-lg border border-line bg-card"
        bodyClassName="border-t border-line px-3 py-2"
      >
        <view.Body item={ran} status={status} />
        {ran !== item && <AskedFor item={item} />}
        {item.result !== undefined && item.result.omittedBytes > 0 && <OutputRest item={item} />}
      </Disclosure>
    </div>
  )
})

/** What need not be opened to be seen: what went wrong, and what was decided. */
function CallNote({ item, status, open }: { item: ToolItem; status: ToolStatus; open: boolean }) {
  return (
    <>
      <FaultLine item={item} status={status} open={open} />
      {open ? <WholeDecision item={item} /> : <DenialMessage item={item} />}
    </>
  )
}

/** With the input that ran, where a person edited it. */
function asItRan(item: ToolItem): ToolItem {
  const input = item.decision?.updatedInput
  return input === undefined ? item : { ...item, input }
}

/** What is put to a person in another way than a tool call. */
const kinds: ReadonlyMap<string, ApprovalKind> = new Map([
  ['AskUserQuestion', 'question'],
  ['ExitPlanMode', 'plan'],
])

/** The input before a person edited it. */
function AskedFor({ item }: { item: ToolItem }) {
  const opened = useOpened(`${item.key}:asked`)
  return (
    <Disclosure icon={PenLine} label={text.conversation.askedFor} opened={opened} className="pt-1">
      <JsonView value={inputOf(item)} />
    </Disclosure>
  )
}

function ToolLine({ title, status, name }: { title: ToolTitle; status: ToolStatus; name: string }) {
  const { verb, target, mono, note, server } = title
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="shrink-0 font-medium" title={name}>
        {verbText(verb, status)}
      </span>
      {server !== undefined && (
        <span className="shrink-0 self-center max-sm:max-w-24">
          <Badge title={text.conversation.server(server)}>
            <bdi className="truncate">
              <SafeText text={server} />
            </bdi>
          </Badge>
        </span>
      )}
      {target !== '' && (
        <bdi
          dir={mono ? 'ltr' : 'auto'}
          title={withVisibleControls(target)}
          className={cx('min-w-0 truncate text-soft', mono && 'font-mono text-[0.8125rem]')}
        >
          <SafeText text={target.slice(0, 400)} />
        </bdi>
      )}
      {note !== undefined && (
        <bdi
          className="min-w-0 shrink-[3] truncate text-xs text-faint max-sm:hidden"
          title={withVisibleControls(note)}
        >
          <SafeText text={note} />
        </bdi>
      )}
    </span>
  )
}

function HeadTime({ item, status }: { item: ToolItem; status: ToolStatus }) {
  if (status !== item.status) return null
  const time = callTime(item)
  return time ? <ToolTime startMs={time.startMs} endMs={time.endMs} /> : null
}

/** A word that says more than the state's own. */
function statusNote(item: ToolItem, status: ToolStatus): string | undefined {
  const { decision } = item
  const isByHook = decision === undefined ? item.result?.deniedByHook : decision.by?.kind === 'hook'
  if (status === 'denied' && isByHook) return text.conversation.deniedByHook
  // The line of the decision says it in the same words.
  if (status === 'denied' && decision?.state === 'denied')
    return decisionWords(decision, kinds.get(item.name)).verb.toLowerCase()
  if (item.name !== 'Bash' || item.result === undefined) return undefined
  const { exitCode, background } = commandResult(item.result)
  if (status === 'done' && background) return text.conversation.inBackground
  return status === 'failed' && exitCode !== undefined ? text.conversation.exitCode(exitCode) : undefined
}

/** The first words of what went wrong, so that a card need not be opened for them. What was refused is shown in the open card too. */
function FaultLine({ item, status, open }: { item: ToolItem; status: ToolStatus; open: boolean }) {
  const isRefused = status === 'denied' && item.decision === undefined
  if ((open || status !== 'failed') && !isRefused) return null
  const words = item.name === 'Bash' ? commandResult(item.result).output : resultText(item.result)
  const shown = item.result?.deniedByHook ? words.replace(hookPrefix, '') : words
  const line = shown.split('\n').find((one) => one.trim() !== '')
  if (line === undefined) return null
  return (
    <p
      dir="auto"
      className={cx(
        'px-3 pb-2 pl-9 font-mono text-xs',
        isRefused ? 'text-denied' : 'text-danger',
        open ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate',
      )}
      title={withVisibleControls(line)}
    >
      <SafeText text={open ? shown.trim().slice(0, 4000) : line.slice(0, 300)} />
    </p>
  )
}

/** Before the words of a hook the CLI (2.1.325) puts its event, and its command where that ended with status 2. */
const hookPrefix = /^PreToolUse\S* hook error: (?:\[[^\n]*\]: )?/

function WholeDecision({ item: { decision, status, name } }: { item: ToolItem }) {
  if (decision === undefined || decision.state === 'pending' || status === 'waiting') return null
  return (
    <div className="px-3 py-2">
      <DecisionLine decision={decision} kind={kinds.get(name)} />
    </div>
  )
}

/** The head says that it was denied; what was said with it, or why it is void, is worth a line in the closed card, too. */
function DenialMessage({ item: { decision, name } }: { item: ToolItem }) {
  if (decision === undefined || decision.state === 'allowed' || decision.state === 'pending') return null
  const { message } = decisionWords(decision, kinds.get(name))
  if (message === undefined) return null
  return (
    <p dir="auto" className="truncate px-3 pb-2 pl-9 text-xs text-soft" title={withVisibleControls(message)}>
      <SafeText text={message} />
    </p>
  )
}

/** Who allowed it, in one sign. What a rule or the mode allowed is said in the open card. */
function AllowedMark({ item: { decision, name } }: { item: ToolItem }) {
  if (decision?.state !== 'allowed' || decision.by?.kind !== 'person') return null
  const { verb, parts } = decisionWords(decision, kinds.get(name))
  const words = [verb, ...parts].join(' ')
  return (
    <span role="img" aria-label={words} title={words} className="text-faint">
      <UserRoundCheck aria-hidden size={14} />
    </span>
  )
}

/** When a call began to run and when it ended, in milliseconds. Undefined where nothing ran, or it is not known. */
export function callTime(
  item: Pick<ToolItem, 'time' | 'startTime' | 'endTime' | 'decision' | 'status'>,
): { startMs: number; endMs: number | undefined } | undefined {
  const { status, decision, endTime } = item
  if (status !== 'running' && status !== 'done' && status !== 'failed') return undefined
  if (status !== 'running' && endTime === undefined) return undefined
  // The time that a person thought about it is not the tool's.
  const startMs = Date.parse(decision?.state === 'allowed' ? decision.time : (item.startTime ?? item.time))
  const endMs = endTime === undefined ? undefined : Date.parse(endTime)
  return Number.isNaN(startMs) || (endMs !== undefined && !(endMs >= startMs))
    ? undefined
    : { startMs, endMs }
}

/** A subagent in the background goes on after the call that started it has returned: the card shows the subagent's status. */
export function effectiveStatus(item: Pick<ToolItem, 'status' | 'subagent'>): ToolStatus {
  const { status, subagent } = item
  if (subagent === undefined || status === 'denied' || status === 'expired' || status === 'void')
    return status
  switch (subagent.status) {
    case undefined:
      return subagent.background && status === 'done' ? 'running' : status
    case 'completed':
      return status === 'failed' ? status : 'done'
    case 'failed':
    case 'error':
      return 'failed'
    default:
      return 'interrupted'
  }
}
