import { RotateCcw } from 'lucide-react'
import { Link } from 'wouter'
import { JsonView } from '../render/json-view.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/config-text.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { settingField, valueWords } from './config-control.ts'
import { ConfigField } from './config-field.tsx'
import { type ConfigEntry, fixedBecause, keyName } from './config-keys.ts'
import { useConfigChange } from './use-config-change.ts'

/** One key: what it is, what it is now and why, and a way to change it. */
export function ConfigRow({ entry, canChange }: { entry: ConfigEntry; canChange: boolean }) {
  const t = text.settings
  const change = useConfigChange(entry)
  const name = keyName(entry.path)
  const fixed = fixedBecause(entry)
  const editable = canChange && fixed === undefined
  const inFile = entry.source === 'file' || 'pending' in entry
  return (
    <div className="grid gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="text-sm font-medium">{name}</h3>
          {entry.source !== 'default' && (
            <Badge title={t.sourceTitles[entry.source]}>{t.sources[entry.source]}</Badge>
          )}
          {entry.restart && <Badge>{t.restart}</Badge>}
        </div>
        <code className="font-mono text-xs text-faint">{entry.path}</code>
        <p className="mt-1 text-sm text-soft">
          <Description text={text.configKeys[entry.path] ?? entry.description} />
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            {editable ? (
              <ConfigField entry={entry} field={settingField(entry.path, entry.schema)} change={change} />
            ) : (
              <FixedValue entry={entry} />
            )}
          </div>
          {editable && inFile && (
            <IconButton
              label={t.resetLabel(name)}
              icon={RotateCcw}
              iconSize={15}
              disabled={change.busy}
              onClick={() => void change.change(null)}
            />
          )}
        </div>
        {change.fault !== undefined && (
          <p role="alert" className="text-xs break-words whitespace-pre-wrap text-danger">
            {change.fault}
          </p>
        )}
        {entry.default !== undefined && (
          <p className="text-xs text-faint">{t.defaultIs(valueWords(entry.default))}</p>
        )}
        {'pending' in entry && (
          <p className="text-xs text-warn">
            <bdi>{t.pending(valueWords(entry.pending))}</bdi>
          </p>
        )}
        {fixed !== undefined && <p className="text-xs text-soft">{fixed}</p>}
        {entry.path === 'mcpServers' && <PageLink href="/mcp" label={t.toMcp} />}
        {entry.path === 'rules' && <PageLink href="/rules" label={t.toRules} />}
      </div>
    </div>
  )
}

function PageLink({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} className="text-xs link">
      {label}
    </Link>
  )
}

function FixedValue({ entry: { value } }: { entry: ConfigEntry }) {
  const words = valueWords(value)
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return <JsonView value={value} />
  return (
    <p dir="auto" className="rounded-md bg-raised px-3 py-1.5 font-mono text-sm break-all">
      {words}
    </p>
  )
}

/** A description of the configuration: what is in backticks is code. */
function Description({ text }: { text: string }) {
  return sequence(text.split('`'), (part, index) =>
    index % 2 === 1 ? <code className="rounded bg-raised px-1 font-mono text-[0.9em]">{part}</code> : part,
  )
}
