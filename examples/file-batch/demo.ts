import { type Script, toolUse } from '@dorkos/testkit'

/** Does by rule what a model would do with each file. */
export const script: Script = ({ lastUserText, toolResults: [result] }) => {
  const file = /Read (\S+),/.exec(lastUserText)?.[1]
  if (!result) return toolUse('mcp__batch__read_csv', { file })
  if (result.isError) return `I could not summarise ${file}.`
  if (result.text === 'Saved.') return `${file} is done.`
  return toolUse('mcp__batch__save_summary', { file, ...summarise(result.text) })
}

function summarise(csv: string): { revenue: number; bestseller: string } {
  const byProduct = new Map<string, number>()
  for (const line of csv.trim().split('\n').slice(1)) {
    const [product = '', euros] = line.split(',')
    byProduct.set(product, (byProduct.get(product) ?? 0) + Number(euros))
  }
  const [best] = [...byProduct].sort(([, a], [, b]) => b - a)
  return { revenue: [...byProduct.values()].reduce((a, b) => a + b, 0), bestseller: best?.[0] ?? '' }
}
