import type { ConfigView } from '@dorkos/shared'
import { useMemo, useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { useServerWords } from '../text/server-words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Input } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { groupEntries } from './config-keys.ts'
import { ConfigRow } from './config-row.tsx'

/** The server's configuration, key by key. */
export function ServerSettings({ view }: { view: ConfigView }) {
  const t = text.settings
  const admin = useCan('admin')
  const [words, setWords] = useState('')
  const groups = useMemo(() => groupEntries(view.keys, words), [view.keys, words])
  const waiting = view.keys.filter((entry) => 'pending' in entry).length
  const inWords = useServerWords()
  return (
    <section className="flex flex-col gap-3">
      <h2 className="font-semibold">{t.server}</h2>
      <div className="flex min-w-0 items-center gap-1 text-sm text-soft">
        <span className="shrink-0">{t.file}</span>
        <code className="min-w-0 truncate font-mono text-xs text-text" title={view.file}>
          {view.file}
        </code>
        <CopyButton value={view.file} />
      </div>
      {view.fault !== undefined && <Notice tone="danger">{t.fault(inWords(view.said, view.fault))}</Notice>}
      {waiting > 0 && <Notice tone="warn">{t.pendingSome(waiting)}</Notice>}
      {!admin && <Notice>{t.readOnly}</Notice>}
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {groups.length === 0 && <p className="text-sm text-soft">{t.nothing(words.trim())}</p>}
      {groups.map(({ group, entries }) => (
        <section key={group} aria-label={t.groups[group]} className="rounded-xl border border-line bg-card">
          <h2 className="border-b border-line px-4 py-2 text-sm font-semibold">{t.groups[group]}</h2>
          <div className="divide-y divide-line">
            {entries.map((entry) => (
              <ConfigRow key={entry.path} entry={entry} canChange={admin} />
            ))}
          </div>
        </section>
      ))}
    </section>
  )
}
