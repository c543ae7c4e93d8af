import { text } from '../text/page-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Checkbox, Field, Input, Select } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import type { EntryDraft, EntryFaults } from './entry-form.ts'
import { PairsField } from './pairs-field.tsx'
import { TextListField } from './text-list-field.tsx'

interface EntryFieldsProps {
  draft: EntryDraft
  onChange: (draft: EntryDraft) => void
  faults: EntryFaults
  /** The name stays what it is. */
  named?: boolean
}

const plain = { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off', autoComplete: 'off' } as const
const types = ['stdio', 'http', 'sse'] as const
const sharings = ['auto', 'shared', 'session'] as const

/** Every part of a server's entry. */
export function EntryFields({ draft, onChange, faults, named }: EntryFieldsProps) {
  const words = text.mcp.entry
  const set = (change: Partial<EntryDraft>) => onChange({ ...draft, ...change })
  return (
    <div className="flex flex-col gap-4">
      {!named && (
        <Field label={words.name} hint={words.nameHint} fault={faults.name}>
          {(ids) => (
            <Input
              {...ids}
              {...plain}
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field label={words.type}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.type}
            onChange={(event) => set({ type: types.find((one) => one === event.target.value) ?? 'stdio' })}
          >
            {types.map((type) => (
              <option key={type} value={type}>
                {words.types[type]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.type === 'stdio' ? (
        <ProgramFields draft={draft} set={set} faults={faults} />
      ) : (
        <RemoteFields draft={draft} set={set} faults={faults} />
      )}
      <Modes draft={draft} set={set} fault={faults.modes} />
      <Disclosure label={words.more} startsOpen={faults.timeout !== undefined || faults.cwd !== undefined}>
        <MoreFields draft={draft} set={set} faults={faults} />
      </Disclosure>
      {faults.entry !== undefined && <Notice tone="danger">{faults.entry}</Notice>}
    </div>
  )
}

interface PartProps {
  draft: EntryDraft
  set: (change: Partial<EntryDraft>) => void
  faults: EntryFaults
}

function ProgramFields({ draft, set, faults }: PartProps) {
  const words = text.mcp.entry
  return (
    <>
      <Field label={words.command} hint={words.commandHint} fault={faults.command}>
        {(ids) => (
          <Input
            {...ids}
            {...plain}
            className="font-mono"
            value={draft.command}
            onChange={(event) => set({ command: event.target.value })}
          />
        )}
      </Field>
      <TextListField
        label={words.args}
        hint={words.argsHint}
        fault={faults.args}
        values={draft.args}
        onChange={(args) => set({ args })}
      />
      <PairsField
        label={words.env}
        hint={words.envHint}
        fault={faults.env}
        pairs={draft.env}
        onChange={(env) => set({ env })}
      />
    </>
  )
}

function RemoteFields({ draft, set, faults }: PartProps) {
  const words = text.mcp.entry
  return (
    <>
      <Field label={words.url} fault={faults.url}>
        {(ids) => (
          <Input
            {...ids}
            {...plain}
            inputMode="url"
            className="font-mono"
            value={draft.url}
            onChange={(event) => set({ url: event.target.value })}
          />
        )}
      </Field>
      <PairsField
        label={words.headers}
        hint={words.headersHint}
        fault={faults.headers}
        pairs={draft.headers}
        onChange={(headers) => set({ headers })}
      />
    </>
  )
}

function Modes({ draft, set, fault }: Pick<PartProps, 'draft' | 'set'> & { fault: string | undefined }) {
  const words = text.mcp.entry
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">{words.modes}</legend>
      <div className="flex flex-wrap gap-x-6">
        <Checkbox
          label={words.host}
          checked={draft.host}
          onChange={(event) => set({ host: event.target.checked })}
        />
        <Checkbox
          label={words.container}
          checked={draft.container}
          onChange={(event) => set({ container: event.target.checked })}
        />
      </div>
      {fault && (
        <p role="alert" className="text-xs text-danger">
          {fault}
        </p>
      )}
    </fieldset>
  )
}

function MoreFields({ draft, set, faults }: PartProps) {
  const words = text.mcp.entry
  return (
    <div className="flex flex-col gap-4 pl-1">
      {draft.type === 'stdio' && (
        <Field label={words.cwd} hint={words.cwdHint} fault={faults.cwd}>
          {(ids) => (
            <Input
              {...ids}
              {...plain}
              className="font-mono"
              value={draft.cwd}
              onChange={(event) => set({ cwd: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field label={words.timeout} hint={words.timeoutHint} fault={faults.timeout}>
        {(ids) => (
          <Input
            {...ids}
            inputMode="decimal"
            className="max-w-40"
            value={draft.timeoutSeconds}
            onChange={(event) => set({ timeoutSeconds: event.target.value })}
          />
        )}
      </Field>
      <Field label={words.sharing}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.sharing}
            onChange={(event) =>
              set({ sharing: sharings.find((one) => one === event.target.value) ?? 'auto' })
            }
          >
            {sharings.map((sharing) => (
              <option key={sharing} value={sharing}>
                {words.sharings[sharing]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Checkbox
        label={words.passthrough}
        hint={words.passthroughHint}
        checked={draft.passthrough}
        onChange={(event) => set({ passthrough: event.target.checked })}
      />
      <Checkbox
        label={words.disabled}
        hint={words.disabledHint}
        checked={draft.disabled}
        onChange={(event) => set({ disabled: event.target.checked })}
      />
    </div>
  )
}
