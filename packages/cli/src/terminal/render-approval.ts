/** An approval as a person must see it before they answer: tool, risk and the whole input, with nothing hidden in it. */
import type { Approval, Risk } from '@dorkos/shared'
import { exactText, hasHidden, oneLine } from './escape.ts'
import { toolTitle } from './render-tool.ts'
import type { Style } from './style.ts'

const risks: Record<Risk, string> = {
  read: 'only reads',
  write: 'changes files',
  execute: 'runs a command',
  network: 'reaches the network',
  admin: 'changes DorkOS itself',
  unknown: 'risk unknown',
}

/** Ends with a line end. */
export function renderApproval(approval: Approval, style: Style): string {
  const risk = risks[approval.risk] ?? risks.unknown
  const paint = approval.risk === 'read' ? style.green : approval.risk === 'write' ? style.yellow : style.red
  const lines = [
    `${style.bold(`Approval needed: ${toolTitle(approval.tool)}`)}  ${paint(risk)}`,
    ...(approval.reason === undefined ? [] : [style.dim(`  ${oneLine(exactText(approval.reason))}`)]),
    ...renderInput(approval.input, style),
    ...hiddenWarning(JSON.stringify(approval.input), style),
    style.dim(`  ${approval.id}, open until ${approval.deadline}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Every key and all of its value. Texts keep their lines, each behind a bar, so that none can pose as ours. */
export function renderInput(input: Record<string, unknown>, style: Style): string[] {
  return Object.entries(input).flatMap(([key, value]) => {
    const name = `  ${style.cyan(oneLine(exactText(key)))}`
    const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
    const lines = exactText(text ?? 'undefined').split('\n')
    const [only] = lines
    if (lines.length === 1 && only !== undefined && only.length <= 60) return [`${name}: ${only}`]
    const mark =
      key === 'old_string' ? style.red('-') : key === 'new_string' ? style.green('+') : style.dim('|')
    return [`${name}:`, ...lines.map((line) => `    ${mark} ${line}`)]
  })
}

export function hiddenWarning(text: string, style: Style): string[] {
  return hasHidden(text)
    ? [style.yellow('  ! It holds characters that cannot be seen; they are shown as \\u{…}.')]
    : []
}

/** What can be answered to a tool call. `session` and `always` need a rule that can be made. */
export function toolChoices(approval: Approval): string {
  const rule = approval.proposed_rule
  const lasting =
    rule === undefined
      ? ''
      : `  [s] this session${approval.workspace_id === undefined ? '' : `  [a] always, ${ruleWords(rule)}`}`
  return `[y] once${lasting}  [e] edit  [n] deny  [Enter] leave open`
}

function ruleWords({ tool, match, scope }: NonNullable<Approval['proposed_rule']>): string {
  const what = match === undefined ? `every ${toolTitle(tool)}` : 'exactly this'
  return `${what} (${oneLine(scope, 40)})`
}
