/** What every part of a conversation may need to know, without being drawn again when the conversation grows. */
import type { Approval, Task } from '@dorkos/shared'
import { createContext, useCallback, useContext, useState } from 'react'
import type { Todo } from '../live/page-session.ts'

export interface Conversation {
  readonly sessionId: string
  readonly cwd: string | undefined
  readonly demo: boolean
  /** What turns cost is an estimate: nobody is charged by use. */
  readonly estimate: boolean
  /** This browser may send messages and fork. */
  readonly canChat: boolean
  /** This browser may answer, and rewind files. */
  readonly canApprove: boolean
  /** The last message that began a turn: it can be sent again in its place. */
  readonly lastMessageId: string | undefined
  /** A turn runs. */
  readonly isWorking: boolean
  readonly opened: OpenedParts
  /** The person did something whose outcome is at the end: it comes into sight and is followed. */
  readonly follow: () => void
}

/** Which cards are open, by key: rows that leave the screen are not kept, what a reader opened is. */
export type OpenedParts = Map<string, boolean>

export const ConversationContext = createContext<Conversation>({
  sessionId: '',
  cwd: undefined,
  demo: false,
  estimate: false,
  canChat: false,
  canApprove: false,
  lastMessageId: undefined,
  isWorking: false,
  opened: new Map(),
  follow: () => {},
})

export function useConversation(): Conversation {
  return useContext(ConversationContext)
}

/** Apart from the rest: only what shows an approval is drawn again when one changes. */
export const ApprovalsContext = createContext<Readonly<Record<string, Approval>>>({})

export function useApproval(id: string | undefined): Approval | undefined {
  const approvals = useContext(ApprovalsContext)
  return id === undefined ? undefined : approvals[id]
}

/** What the agent means to do, as it is now. */
export const TodosContext = createContext<readonly Todo[]>([])

/** Commands and subagents that run. */
export const TasksContext = createContext<readonly Task[]>([])

/** To be called when an approval was answered here: the end is followed, unless another one waits. */
export function useAnswered(id: string | undefined): () => void {
  const { follow } = useConversation()
  const approvals = useContext(ApprovalsContext)
  const waits = Object.values(approvals).some((one) => one.state === 'pending' && one.id !== id)
  return useCallback(() => {
    if (!waits) follow()
  }, [waits, follow])
}

/** Whether a part is open. Until the reader says otherwise it is as `standard` says. */
export function useOpened(key: string, standard = false): [boolean, (open: boolean) => void] {
  const { opened } = useConversation()
  const [, redraw] = useState(0)
  const set = (open: boolean) => {
    opened.set(key, open)
    redraw((count) => count + 1)
  }
  return [opened.get(key) ?? standard, set]
}
