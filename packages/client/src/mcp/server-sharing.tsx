import type { McpServer } from '@dorkos/shared'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { Field, Select } from '../ui/field.tsx'
import { useMcpChange, workspaceQuery } from './mcp-queries.ts'

const choices = ['auto', 'shared', 'session'] as const

/** Whether the sessions of a workspace share the server's process: the choice, what comes of it, and why. */
export function ServerSharing({
  server: { name, sharing },
  workspaceId,
}: {
  server: McpServer
  workspaceId: string | undefined
}) {
  const isAdmin = useCan('admin')
  const { busy, run } = useMcpChange()
  if (!sharing) return null
  const words = text.mcp.sharing
  const choose = (value: string) => {
    const chosen = choices.find((one) => one === value)
    if (chosen)
      void run(() =>
        api.shareMcpServer({ params: { name }, body: { ...workspaceQuery(workspaceId), sharing: chosen } }),
      )
  }
  return (
    <Field
      label={words.title}
      hint={
        <>
          {words.modes[sharing.mode]} {words.why[sharing.why]}
        </>
      }
    >
      {(ids) =>
        isAdmin ? (
          <Select
            {...ids}
            className="max-w-md"
            value={sharing.choice}
            disabled={busy}
            aria-busy={busy}
            onChange={(event) => choose(event.target.value)}
          >
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {words.choices[choice]}
              </option>
            ))}
          </Select>
        ) : (
          <output id={ids.id} className="text-sm">
            {words.choices[sharing.choice]}
          </output>
        )
      }
    </Field>
  )
}
