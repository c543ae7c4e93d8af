/** What is different between what was trusted and what is there now, for people. Pure. */
import type { TrustChange } from '@dorkos/shared'
import type { CoveredItem } from '../ports/trust.ts'
import { lineDiff } from './line-diff.ts'

const MAX_CHANGES = 200
const MAX_DIFFS = 64 * 1024

export function compareItems(before: readonly CoveredItem[], now: readonly CoveredItem[]): TrustChange[] {
  const old = new Map(before.map((item) => [keyOf(item), item]))
  const current = new Map(now.map((item) => [keyOf(item), item]))
  const changes: TrustChange[] = []
  for (const item of now) {
    const was = old.get(keyOf(item))
    if (!was) changes.push(whole(item, 'added'))
    else if (was.digest !== item.digest) changes.push(changed(was, item))
  }
  for (const item of before) if (!current.has(keyOf(item))) changes.push(whole(item, 'removed'))
  return bounded(changes)
}

const keyOf = ({ kind, path, name }: CoveredItem) => JSON.stringify([kind, path, name])
const headOf = ({ kind, path, name }: CoveredItem) => ({ kind, path, ...(name !== undefined && { name }) })

function whole(item: CoveredItem, change: 'added' | 'removed'): TrustChange {
  const shown = { ...headOf(item), change }
  if (item.text === undefined) return { ...shown, notes: ['It is not text.'] }
  const { diff, cut } = change === 'added' ? lineDiff('', item.text) : lineDiff(item.text, '')
  return { ...shown, ...(diff !== '' && { diff }), notes: cut || item.cut ? [longer] : [] }
}

const longer = 'There is more than is shown.'

function changed(was: CoveredItem, item: CoveredItem): TrustChange {
  const shown = { ...headOf(item), change: 'changed' as const }
  if (was.text === undefined || item.text === undefined)
    return { ...shown, notes: ['It changed; it is not text.'] }
  const notes = secretNotes(was.secrets, item.secrets)
  const cut = was.cut === true || item.cut === true
  if (was.text === item.text) {
    if (notes.length === 0)
      notes.push(cut ? 'It changed beyond what is kept of it.' : 'Only its spacing or comments changed.')
    return { ...shown, notes }
  }
  const { diff, cut: cutDiff } = lineDiff(was.text, item.text)
  return { ...shown, diff, notes: cut || cutDiff ? [...notes, longer] : notes }
}

function secretNotes(was: Record<string, string>, now: Record<string, string>): string[] {
  return Object.keys(now)
    .filter((path) => Object.hasOwn(was, path) && was[path] !== now[path])
    .map((path) => (path === '' ? 'A masked value changed.' : `${path}: value changed`))
}

function bounded(changes: TrustChange[]): TrustChange[] {
  let left = MAX_DIFFS
  return changes.slice(0, MAX_CHANGES).map((change) => {
    left -= change.diff?.length ?? 0
    if (left >= 0 || change.diff === undefined) return change
    const { diff: _, ...rest } = change
    return { ...rest, notes: [...change.notes, longer] }
  })
}
