/** The words of `later-text.ts` with those of approvals, alerts and forms, which are loaded after the first look. */
import { approvalCards } from './en/approval-cards.ts'
import { form } from './en/form.ts'
import { text as first } from './later-text.ts'

export const text = {
  ...first,
  approvals: { ...first.approvals, ...approvalCards },
  form,
}
