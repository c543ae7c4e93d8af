/** Results as text. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { ContractCase } from './case.ts'
import { type CaseResult, differences } from './run-cases.ts'

/** One CLI's results, in the order of the cases. */
export interface Run {
  version: string
  results: readonly CaseResult[]
}

/** Which case failed, what it says, what was seen, and what of ours relies on it. */
export function failureText(cases: readonly ContractCase[], { id, reason }: CaseResult): string {
  const one = cases.find((candidate) => candidate.id === id)
  const relying = one?.reliedOnBy.map((file) => `    relied on by ${file}`) ?? []
  return [`  FAILED: ${id}`, `    ${one?.title}`, `    ${reason}`, ...relying].join('\n')
}

/** The cases that do not end alike with every CLI, or saw something else: what the first saw, and what the others did. */
export function tableOfMoves(cases: readonly ContractCase[], runs: readonly Run[]): string {
  const [first, ...others] = runs
  if (first === undefined) return ''
  const rows = cases.flatMap(({ id }, at) => {
    const before = first.results[at]
    const after = others.map((run) => run.results[at])
    if (after.every((result) => isSame(before, result))) return []
    return [[id, cell(before), ...after.map((result) => cell(result, before))]]
  })
  if (rows.length === 0) return `Nothing moved between ${runs.map((run) => run.version).join(', ')}.`
  const head = ['what moved', ...runs.map((run) => run.version)]
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function isSame(before: CaseResult | undefined, after: CaseResult | undefined): boolean {
  return before?.verdict === after?.verdict && isDeepStrictEqual(before?.seen, after?.seen)
}

/** The verdict; with what was seen where that is another thing than before. */
function cell(result: CaseResult | undefined, before?: CaseResult): string {
  if (result === undefined) return 'not run'
  const moved =
    before?.seen && result.seen
      ? differences(before.seen, result.seen).map((line) =>
          line.replace('expected', 'was').replace('saw', 'is'),
        )
      : [result.verdict === 'passed' ? '' : (result.reason ?? '')]
  const text = moved.filter((line) => line !== '').join('; ')
  return (text === '' ? result.verdict : `${result.verdict}: ${text}`)
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
}
