/** Gives the figures to the browser as a file. */
import { api } from '../api.ts'
import { sessionTitle } from '../sessions/session-title.ts'
import { text } from '../text/page-text.ts'
import { costCsv } from './cost-csv.ts'
import type { CostRow } from './cost-rows.ts'
import type { CostGroup } from './cost-view.ts'

const mostTitles = 500
const atOnce = 5

interface CostFile {
  group: CostGroup
  rows: readonly CostRow[]
  first: string
  last: string
  nameOf: (key: string) => string
}

export async function downloadCosts({ group, rows, first, last, nameOf }: CostFile): Promise<void> {
  const titles = group === 'session' ? await loadTitles(rows.slice(0, mostTitles)) : new Map<string, string>()
  const csv = costCsv(rows, (key) => titles.get(key) ?? nameOf(key))
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = text.costs.csv.fileName(group, first, last)
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The table shows a part of them; the file has all. */
async function loadTitles(rows: readonly CostRow[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (let start = 0; start < rows.length; start += atOnce) {
    const some = rows.slice(start, start + atOnce)
    const found = await Promise.all(
      some.map(({ key }) => api.getSession({ params: { id: key } }).catch(() => undefined)),
    )
    for (const session of found) if (session) titles.set(session.id, sessionTitle(session))
  }
  return titles
}
