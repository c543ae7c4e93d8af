/** What "allow" can mean for a call, and what a rule made of it would cover. Pure. */
import type { Approval } from '@dorkos/shared'
import { text } from '../text/card-text.ts'
import { callView } from './call-view.ts'
import { inputFields } from './edited-input.ts'

export interface Allowance {
  session: boolean
  always: boolean
  /** False where the input has nothing that could be changed. */
  edit: boolean
  /** Why not, where one of them is not to be had. */
  whyNot: string | undefined
  /** What the session would cover. */
  covers: string | undefined
}

export function allowanceOf(approval: Approval): Allowance {
  const t = text.approvals.actions
  const edit = inputFields(approval.input).length > 0
  if (approval.kind !== 'tool')
    return { session: false, always: false, edit, whyNot: undefined, covers: undefined }
  const rule = approval.proposed_rule
  if (rule === undefined) return { session: false, always: false, edit, whyNot: t.noRule, covers: undefined }
  if (rule.match === undefined)
    return { session: false, always: true, edit, whyNot: undefined, covers: undefined }
  const { kind } = callView(approval)
  const covers =
    kind === 'command' ? t.coversCommand : kind === 'other' ? t.coversInput : t.coversFile(approval.tool)
  return { session: true, always: true, edit, whyNot: undefined, covers }
}
