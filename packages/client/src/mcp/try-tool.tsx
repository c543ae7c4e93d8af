import type { McpCall } from '@dorkos/shared'
import { Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, errorText } from '../api.ts'
import { FormFieldRow } from '../form/form-field-row.tsx'
import { JsonView } from '../render/json-view.tsx'
import { ToolContent } from '../render/tool-content.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Field, Textarea } from '../ui/field.tsx'
import { formatBytes, formatMs } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { focusFault } from './focus-fault.ts'
import { workspaceQuery } from './mcp-queries.ts'
import { type ToolInput, useToolInput } from './use-tool-input.ts'

interface TryToolProps {
  server: string
  tool: string
  schema: unknown
  workspaceId: string | undefined
}

type Outcome = { call: McpCall } | { refused: string }

/** Calls one tool, for real, and shows what it gives. */
export function TryTool({ server, tool, schema, workspaceId }: TryToolProps) {
  const input = useToolInput(schema)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const words = text.mcp.trying
  const run = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!input.input) return focusFault(event.currentTarget)
    setBusy(true)
    setOutcome(undefined)
    try {
      const body = { ...workspaceQuery(workspaceId), tool, input: input.input }
      setOutcome({ call: await api.callMcpTool({ params: { name: server }, body }) })
    } catch (error) {
      setOutcome({ refused: errorText(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      aria-label={words.title(tool)}
      onSubmit={(event) => void run(event)}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-ground p-3"
    >
      <Notice tone="warn">{words.warning}</Notice>
      <InputPart input={input} tried={tried} />
      <Button type="submit" variant="primary" icon={Play} busy={busy} className="self-start">
        {busy ? words.running : outcome ? words.runAgain : words.run}
      </Button>
      <div aria-live="polite" className="min-w-0">
        {outcome && <OutcomeView outcome={outcome} />}
      </div>
    </form>
  )
}

function InputPart({ input, tried }: { input: ToolInput; tried: boolean }) {
  const words = text.mcp.trying
  const { fields, way, misfit } = input
  return (
    <>
      {fields ? (
        <fieldset className="flex items-center gap-1">
          <legend className="sr-only">{words.as}</legend>
          {(['form', 'json'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={way === one}
              onClick={() => input.setWay(one)}
              className={cx(
                'min-h-8 rounded-md px-2.5 text-sm max-sm:min-h-10',
                way === one ? 'bg-hover font-medium text-text' : 'text-soft hover:bg-hover',
              )}
            >
              {words[one]}
            </button>
          ))}
        </fieldset>
      ) : (
        <p className="text-sm text-soft">{words.onlyJson}</p>
      )}
      {misfit !== undefined && <Notice>{misfit}</Notice>}
      {way === 'json' ? <JsonInput input={input} tried={tried} /> : <FormInput input={input} tried={tried} />}
    </>
  )
}

function FormInput({ input, tried }: { input: ToolInput; tried: boolean }) {
  const { fields = [], draft, faults } = input
  if (fields.length === 0) return <p className="text-sm text-soft">{text.mcp.trying.noInput}</p>
  return fields.map((field) => (
    <FormFieldRow
      key={field.name}
      field={field}
      value={Object.hasOwn(draft, field.name) ? (draft[field.name] ?? '') : ''}
      fault={tried && Object.hasOwn(faults, field.name) ? faults[field.name] : undefined}
      onChange={(value) => input.setField(field.name, value)}
    />
  ))
}

function JsonInput({ input, tried }: { input: ToolInput; tried: boolean }) {
  return (
    <Field label={text.mcp.trying.input} fault={tried ? input.jsonFault : undefined}>
      {(ids) => (
        <Textarea
          {...ids}
          rows={Math.min(16, Math.max(5, input.json.split('\n').length))}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="off"
          autoCorrect="off"
          className="font-mono"
          value={input.json}
          onChange={(event) => input.setJson(event.target.value)}
        />
      )}
    </Field>
  )
}

function OutcomeView({ outcome }: { outcome: Outcome }) {
  const words = text.mcp.trying
  if ('refused' in outcome) return <Notice tone="danger">{words.refused(outcome.refused)}</Notice>
  const {
    content,
    structured_content: structured,
    is_error: isError,
    duration_ms: ms,
    omitted_bytes: omitted,
  } = outcome.call
  const hasStructured = structured !== undefined
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className={cx('text-sm font-medium', isError ? 'text-danger' : 'text-ok')}>
        {isError ? words.error(formatMs(ms)) : words.ok(formatMs(ms))}
      </p>
      {(content.length > 0 || !hasStructured) && <ToolContent content={content} />}
      {hasStructured && (
        <div>
          <p className="text-xs text-soft">{words.structured}</p>
          <JsonView value={structured} />
        </div>
      )}
      {omitted !== undefined && <p className="text-xs text-soft">{words.omitted(formatBytes(omitted))}</p>}
    </div>
  )
}
