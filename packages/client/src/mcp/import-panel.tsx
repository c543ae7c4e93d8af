import type { EndpointResponse } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../api.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { type Added, Lines } from './added-report.tsx'
import { launchLine } from './launch-line.ts'
import { workspaceQuery } from './mcp-queries.ts'
import { useSaving } from './use-saving.ts'

type Client = EndpointResponse<'listMcpImports'>['clients'][number]

interface ImportPanelProps {
  workspaceId: string | undefined
  onAdded: (added: Added) => void
}

/** Servers that other programs on this machine have. */
export function ImportPanel({ workspaceId, onAdded }: ImportPanelProps) {
  const query = useQuery({
    queryKey: ['mcp', 'imports', workspaceId ?? 'main'],
    queryFn: ({ signal }) => api.listMcpImports({ query: workspaceQuery(workspaceId), signal }),
  })
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-soft">{text.mcp.imports.hint}</p>
      <QueryView query={query}>
        {({ clients }) =>
          clients.length === 0 ? (
            <p className="text-sm text-soft">{text.mcp.imports.none}</p>
          ) : (
            clients.map((client) => (
              <ClientFile key={client.file} client={client} workspaceId={workspaceId} onAdded={onAdded} />
            ))
          )
        }
      </QueryView>
    </div>
  )
}

function ClientFile({ client, workspaceId, onAdded }: ImportPanelProps & { client: Client }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { busy, fault, save } = useSaving()
  const id = useId()
  const words = text.mcp.imports
  const servers = client.servers.filter(({ name, known }) => !known && chosen.has(name))
  const copy = async () => {
    const body = {
      file: client.file,
      servers: servers.map(({ name, hash }) => ({ name, hash })),
      ...workspaceQuery(workspaceId),
    }
    const added = await save(() => api.importMcpServers({ body }))
    if (added) onAdded(added)
  }
  const toggle = (name: string, on: boolean) =>
    setChosen(new Set(on ? [...chosen, name] : [...chosen].filter((one) => one !== name)))
  return (
    <section className="rounded-lg border border-line p-3">
      <h3 className="font-medium">
        <SafeText text={client.client} />
      </h3>
      <p className="font-mono text-xs break-all text-soft">
        <SafeText text={client.file} />
      </p>
      {client.faults.length > 0 && <Lines tone="warn" title={text.mcp.add.faults} lines={client.faults} />}
      {client.servers.length === 0 && <p className="text-sm text-soft">{words.noServers}</p>}
      {client.servers.map((server) => (
        <Checkbox
          key={server.name}
          disabled={server.known}
          {...(server.known && { 'aria-describedby': `${id}-${server.name}` })}
          aria-label={words.choose(withVisibleControls(server.name))}
          checked={chosen.has(server.name) && !server.known}
          onChange={(event) => toggle(server.name, event.target.checked)}
          label={
            <span className="flex flex-wrap items-center gap-2">
              <bdi className="font-medium break-all">
                <SafeText text={server.name} />
              </bdi>
              {server.known && (
                <span id={`${id}-${server.name}`}>
                  <Badge>{words.known}</Badge>
                </span>
              )}
            </span>
          }
          hint={
            <span className="font-mono break-all">
              <SafeText text={launchLine(server.entry)} />
            </span>
          }
        />
      ))}
      {fault && <Notice tone="danger">{fault}</Notice>}
      {client.servers.some(({ known }) => !known) && (
        <div className="mt-2 flex justify-end gap-2">
          <ReasonButton
            shows
            size="sm"
            variant="primary"
            busy={busy}
            reason={servers.length === 0 ? words.needsChoice : undefined}
            onClick={() => void copy()}
          >
            {words.copy(servers.length)}
          </ReasonButton>
        </div>
      )}
    </section>
  )
}
