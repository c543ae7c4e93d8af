/** An approval as a person must see it before they answer: tool, risk and the whole input, with nothing hidden in it. */
import { isAbsolute } from 'node:path'
import type { Approval, ProposedRule, Risk } from '@dorkos/shared'
import { exactLine, exactText, hasHidden, oneLine } from './escape.ts'
import { toolTitle } from './render-tool.ts'
import type { Style } from './style.ts'

const risks: Record<Risk, string> = {
  read: 'only reads',
  write: 'changes files',
  execute: 'runs a command',
  network: 'reaches the network',
  admin: 'changes DorkOS itself',
  unknown: 'unknown risk',
}

/** Ends with a line end. */
export function renderApproval(approval: Approval, style: Style): string {
  const risk = risks[approval.risk] ?? risks.unknown
  const paint = approval.risk === 'read' ? style.green : approval.risk === 'write' ? style.yellow : style.red
  const lines = [
    `${style.bold(`Approval needed: ${toolTitle(approval.tool)}`)}  ${paint(risk)}`,
    ...(approval.reason === undefined ? [] : [style.dim(`  ${oneLine(exactText(approval.reason))}`)]),
    ...renderInput(approval.input, style),
    ...hiddenWarning(approval.input, style),
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

/** Text of the agent that a person decides about: nothing unseen in it, and each line behind a bar. */
export function barred(text: string, style: Style): string[] {
  return exactText(text)
    .split('\n')
    .map((line) => `  ${style.dim('|')} ${line}`)
}

export function hiddenWarning(value: unknown, style: Style): string[] {
  return hasHidden(value) ? [style.yellow('  ! It contains invisible characters, shown as \\u{…}.')] : []
}

/** What can be answered to a tool call. A lasting answer needs a rule that can be made. */
export function toolChoices({ proposed_rule: rule }: Approval): string {
  const session = rule?.match === undefined ? '' : `  [s] this session, ${ruleWords(rule)}`
  const always = rule === undefined ? '' : '  [a] always…'
  return `[y] once${session}${always}  [e] edit  [n] deny  [Enter] leave open`
}

/** Their rules compare the path alone, whatever is read or written there. */
const fileTools = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'NotebookRead'])

/** What a rule for exactly this call would let pass from then on. */
export function ruleWords({ tool, match }: ProposedRule): string {
  if (match !== undefined && fileTools.has(tool) && isAbsolute(match))
    return `any ${toolTitle(tool)} of ${exactLine(match)}`
  return tool === 'Bash' ? 'exactly this command' : 'exactly this'
}
