import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { toast } from '../ui/toast.tsx'

/** Agents of others, each with a button that makes a profile of it. */
export function ImportProfiles({
  workspaceId,
  onClose,
}: {
  workspaceId: string | undefined
  onClose: () => void
}) {
  const t = text.profiles.imports
  const client = useQueryClient()
  const [fault, setFault] = useState<string>()
  const where = workspaceId === undefined ? {} : { workspace_id: workspaceId }
  const query = useQuery({
    queryKey: ['profiles', 'imports', workspaceId ?? ''],
    queryFn: ({ signal }) => api.listProfileImports({ query: where, signal }),
  })
  const take = async (file: string, name: string) => {
    setFault(undefined)
    try {
      await api.importProfile({ body: { ...where, file, name } })
      toast.ok(t.done(name))
      void client.invalidateQueries({ queryKey: ['profiles'] })
    } catch (error) {
      setFault(errorText(error))
    }
  }
  return (
    <Dialog
      open
      title={t.title}
      description={t.hint}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t.close}</Button>}
    >
      {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
      <QueryView query={query}>
        {({ found }) =>
          found.length === 0 ? (
            <p className="text-sm text-soft">{t.none}</p>
          ) : (
            <ul className="divide-y divide-line">
              {found.map(({ file, kind, name, description, exists }) => (
                <li key={file} className="flex items-start gap-3 py-2">
                  <div className="min-w-0 flex-1">
                    <p className="font-medium">
                      <bdi>{name}</bdi> <span className="text-xs font-normal text-soft">{t.kinds[kind]}</span>
                    </p>
                    {description !== undefined && (
                      <p className="text-sm text-soft [overflow-wrap:anywhere]">
                        <bdi>
                          <SafeText text={description} />
                        </bdi>
                      </p>
                    )}
                    <bdi dir="ltr" className="block font-mono text-xs break-all text-faint">
                      {file}
                    </bdi>
                  </div>
                  <ReasonButton
                    size="sm"
                    aria-label={t.action(name)}
                    reason={exists ? t.exists : undefined}
                    onClick={() => void take(file, name)}
                  >
                    {t.short}
                  </ReasonButton>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Dialog>
  )
}
