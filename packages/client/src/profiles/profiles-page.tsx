import type { ProfileEntry } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { Import, Plus, UserRoundCog } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { useWorkspaceChoice } from '../mcp/use-workspace-choice.ts'
import { McpWorkspacePicker } from '../mcp/workspace-picker.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ImportProfiles } from './import-profiles.tsx'
import { profilesQuery } from './profiles-query.ts'

/** All profiles, those of one workspace included, and what is wrong in them. */
export function ProfilesPage() {
  const t = text.profiles
  const choice = useWorkspaceChoice()
  const workspaceId = choice.chosen?.id
  const query = useQuery(profilesQuery(workspaceId))
  const mayEdit = useCan('admin')
  const [isImporting, setImporting] = useState(false)
  const [, navigate] = useLocation()
  return (
    <Page
      title={t.title}
      description={t.description}
      actions={
        mayEdit && (
          <>
            <Button icon={Import} iconOnPhone onClick={() => setImporting(true)}>
              {t.import}
            </Button>
            <Button variant="primary" icon={Plus} iconOnPhone onClick={() => navigate('/profiles/new')}>
              {t.add}
            </Button>
          </>
        )
      }
    >
      {!mayEdit && <Notice tone="neutral">{t.needsAdmin}</Notice>}
      <McpWorkspacePicker choice={choice} />
      <QueryView query={query}>
        {({ profiles }) =>
          profiles.length === 0 ? (
            <Empty icon={UserRoundCog} title={t.empty}>
              {t.emptyMeans}
            </Empty>
          ) : (
            <ul className="divide-y divide-line rounded-xl border border-line bg-card">
              {profiles.map((profile) => (
                <ProfileRow key={`${profile.origin} ${profile.name}`} profile={profile} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {isImporting && <ImportProfiles workspaceId={workspaceId} onClose={() => setImporting(false)} />}
    </Page>
  )
}

function ProfileRow({ profile }: { profile: ProfileEntry }) {
  const t = text.profiles
  const { name, origin, workspace_id, description, faults, untrusted, overridden_by: by } = profile
  const search = new URLSearchParams({
    origin,
    ...(workspace_id !== undefined && { workspace: workspace_id }),
  })
  return (
    <li className="flex flex-col gap-0.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <Link href={`/profiles/${name}?${search}`} className="link font-medium">
          <bdi>{name}</bdi>
        </Link>
        <Badge>{t.origins[origin]}</Badge>
        {untrusted && <Badge tone="warn">{t.untrusted}</Badge>}
        {faults.length > 0 && <Badge tone="danger">{t.faults(faults.length)}</Badge>}
        {by !== undefined && <span className="text-xs text-soft">{t.replaced[by]}</span>}
      </div>
      {description !== undefined && (
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          <bdi>
            <SafeText text={description} />
          </bdi>
        </p>
      )}
    </li>
  )
}
