/** Which rule shall answer calls like this one from now on? It is said whole before it is made. */
import type { AllowScope, Approval, Covers, ProposedRule } from '@dorkos/shared'
import type { Answer, AskContext } from './ask-approval.ts'
import { exactLine, safeJson } from './escape.ts'
import { ruleWords } from './render-approval.ts'
import { toolTitle } from './render-tool.ts'

interface Choice<T> {
  value: T
  words: string
}

/** Undefined: back to where it was asked. */
export async function askLasting(context: AskContext, approval: Approval): Promise<Answer | undefined> {
  const { asker, notify, signal } = context
  const rule = approval.proposed_rule
  if (!rule) return undefined
  const kind = await chooseOne(context, 'What can run without asking from now on?', kindsOf(rule))
  if (!kind) return undefined
  const covers =
    kind.value === 'fields' ? await chooseFields(context, approval) : { ...kind, value: { kind: kind.value } }
  if (!covers) return undefined
  const scope = await chooseOne(context, 'Where?', scopesOf(approval))
  if (!scope) return undefined
  notify(`From now on ${covers.words} will run without asking ${scope.words}, until you revoke the rule.\n`)
  const line = await asker.ask('[y] create rule and allow  [Enter] back > ', { signal })
  if (line?.trim().toLowerCase() !== 'y') return undefined
  return { decision: 'allow', scope: scope.value, covers: covers.value }
}

function kindsOf(rule: ProposedRule): Choice<Covers['kind']>[] {
  const { tool, match, fields, prefix } = rule
  const title = toolTitle(tool)
  return [
    ...(match === undefined ? [] : [{ value: 'call' as const, words: ruleWords(rule) }]),
    ...(fields?.length
      ? [{ value: 'fields' as const, words: `${title}, as long as the fields you choose stay the same` }]
      : []),
    ...(prefix === undefined
      ? []
      : [
          {
            value: 'prefix' as const,
            words: `commands like ${exactLine(prefix)}, as matched by Claude Code,`,
          },
        ]),
    ...(fields ? [{ value: 'tool' as const, words: `every ${title}, whatever its input,` }] : []),
  ]
}

function scopesOf({ workspace_id }: Approval): Choice<Exclude<AllowScope, 'once'>>[] {
  return [
    { value: 'session', words: 'in this session' },
    ...(workspace_id === undefined ? [] : [{ value: 'always' as const, words: 'in this workspace' }]),
    { value: 'everywhere', words: 'everywhere' },
  ]
}

async function chooseFields(context: AskContext, approval: Approval): Promise<Choice<Covers> | undefined> {
  const offered = (approval.proposed_rule?.fields ?? []).map((name) => ({
    value: name,
    words: `${exactLine(name)}: ${exactLine(safeJson(approval.input[name] ?? null))}`,
  }))
  const chosen = await choose(context, 'Which fields must stay the same?', offered, 'numbers with commas')
  if (!chosen) return undefined
  return {
    value: { kind: 'fields', fields: chosen.map(({ value }) => value) },
    words: `every ${toolTitle(approval.tool)} with ${chosen.map(({ words }) => words).join(' and ')}`,
  }
}

async function chooseOne<T>(
  context: AskContext,
  question: string,
  choices: Choice<T>[],
): Promise<Choice<T> | undefined> {
  for (;;) {
    const chosen = await choose(context, question, choices, 'a number')
    if (!chosen || chosen.length === 1) return chosen?.[0]
    context.notify('Type one number.\n')
  }
}

/** Undefined for an empty line. */
async function choose<T>(
  { asker, notify, signal }: AskContext,
  question: string,
  choices: Choice<T>[],
  wanted: string,
): Promise<Choice<T>[] | undefined> {
  notify(
    [question, ...choices.map(({ words }, at) => `  ${at + 1}  ${words.replace(/,$/, '')}`), ''].join('\n'),
  )
  for (;;) {
    const line = (await asker.ask(`${wanted}; Enter goes back > `, { signal }))?.trim()
    if (!line) return undefined
    const numbers = [...new Set(line.split(/[\s,]+/))]
    const chosen = numbers.flatMap((number) =>
      /^\d+$/.test(number) ? (choices[Number(number) - 1] ?? []) : [],
    )
    if (chosen.length === numbers.length) return chosen
    notify(`Type ${wanted} from 1 to ${choices.length}.\n`)
  }
}
