/** Is this plan good? */
import type { Approval } from '@dorkos/shared'
import type { Answer, AskContext } from './ask-approval.ts'
import { denial } from './ask-tool.ts'
import { modeMeanings } from './mode-meanings.ts'
import { barred, hiddenWarning, renderInput } from './render-approval.ts'

const choices =
  '[y] approve, ask before each edit  [e] approve and accept edits  [n] keep planning  [Enter] leave open > '

export async function askPlan(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  const { asker, notify, style, signal } = context
  const { plan, ...rest } = approval.input
  const body = typeof plan === 'string' && plan !== '' ? barred(plan, style) : ['(no text)']
  const others = renderInput(rest, style)
  const parts = [...body, ...others, ...hiddenWarning([plan, rest], style)]
  const meaning = `If you accept edits, the agent ${modeMeanings.acceptEdits}.`
  notify(`${style.bold('The agent has a plan:')}\n${[...parts, meaning].join('\n')}\n`)
  for (;;) {
    const line = await asker.ask(choices, { signal })
    switch (line?.trim().toLowerCase()) {
      case undefined:
      case '':
        return undefined
      case 'y':
        return { decision: 'allow', permission_mode: 'default' }
      case 'e':
        return { decision: 'allow', permission_mode: 'acceptEdits' }
      case 'n':
        return denial(context)
    }
    notify('Type one of the letters in brackets, or press Enter to leave it open.\n')
  }
}
