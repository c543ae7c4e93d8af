import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Card } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Time } from '../ui/time.tsx'

const shown = 8

/** The sessions that were used last in a workspace. */
export function LatestSessions({ workspaceId }: { workspaceId: string }) {
  const query = useQuery({
    queryKey: ['sessions', 'of-workspace', workspaceId],
    queryFn: ({ signal }) => api.listSessions({ query: { workspace_id: workspaceId, limit: shown }, signal }),
  })
  const words = text.workspaces.page
  return (
    <Card className="flex min-w-0 flex-col gap-2">
      <h2 className="font-semibold">{words.sessions}</h2>
      <QueryView query={query}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p className="text-sm text-soft">{words.sessionsNone}</p>
          ) : (
            <ul className="flex flex-col">
              {sessions.map((session) => {
                const title = session.title?.trim() || session.first_prompt?.trim() || words.untitled
                return (
                  <li key={session.id}>
                    <Link
                      href={`/sessions/${session.id}`}
                      className="-mx-2 flex min-h-9 items-center gap-3 rounded-md px-2 text-sm hover:bg-hover max-sm:min-h-11"
                    >
                      <bdi
                        className="min-w-0 flex-1 truncate"
                        title={withVisibleControls(title.slice(0, 300))}
                      >
                        <SafeText text={title.slice(0, 200)} />
                      </bdi>
                      <Time value={session.updated_at} className="shrink-0 text-xs text-faint" />
                    </Link>
                  </li>
                )
              })}
            </ul>
          )
        }
      </QueryView>
    </Card>
  )
}
