/** May the agent run this tool? */
import type { Approval } from '@dorkos/shared'
import type { Answer, AskContext } from './ask-approval.ts'
import { askLasting } from './ask-lasting.ts'
import { editInput } from './edit-input.ts'
import { renderApproval, renderInput, toolChoices } from './render-approval.ts'

export async function askTool(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  const { asker, notify, style, signal } = context
  notify(renderApproval(approval, style))
  const rule = approval.proposed_rule
  for (;;) {
    const line = await asker.ask(`${toolChoices(approval)} > `, { signal })
    switch (line?.trim().toLowerCase()) {
      case undefined:
      case '':
        return undefined
      case 'y':
      case 'yes':
        return { decision: 'allow', scope: 'once' }
      case 's':
        if (rule?.match !== undefined) return { decision: 'allow', scope: 'session' }
        break
      case 'a':
        if (rule) {
          const lasting = await askLasting(context, approval)
          if (lasting) return lasting
          continue
        }
        break
      case 'e': {
        const edited = await askEdited(context, approval)
        if (edited) return edited
        continue
      }
      case 'n':
      case 'no':
        return denial(context)
    }
    notify('Type one of the letters in brackets, or press Enter to leave it open.\n')
  }
}

/** What was edited is shown whole before it runs. */
async function askEdited(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  const { asker, notify, style, signal } = context
  const input = await editInput(context, approval.input)
  if (!input) return undefined
  notify(`${style.bold('It would run:')}\n${renderInput(input, style).join('\n')}\n`)
  const line = await asker.ask('[y] run this once  [Enter] back > ', { signal })
  return line?.trim().toLowerCase() === 'y'
    ? { decision: 'allow', scope: 'once', updated_input: input }
    : undefined
}

/** A denial may carry words to the agent. Taken back only by somebody else's answer. */
export async function denial({ asker, signal }: AskContext): Promise<Answer | undefined> {
  const words = await asker.ask('Tell the agent why, or what to do instead (Enter to skip) > ', { signal })
  if (signal.aborted) return undefined
  const message = words?.trim()
  return { decision: 'deny', ...(message && { message }) }
}
