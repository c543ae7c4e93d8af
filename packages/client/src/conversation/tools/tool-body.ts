import type { ToolItem, ToolStatus } from '../../live/page-session.ts'

/** What the inside of an open card is drawn from. */
export interface ToolBodyProps {
  item: ToolItem
  status: ToolStatus
}
