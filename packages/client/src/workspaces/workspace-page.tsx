import { ApiError, type Workspace } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { FolderGit2, Plug, SquarePen, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { api } from '../api.ts'
import { useIsPhone } from '../browser/use-media.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ServerSentence } from '../ui/server-sentence.tsx'
import { HooksCard } from './hooks-card.tsx'
import { LatestSessions } from './latest-sessions.tsx'
import { LoadsCard } from './loads-card.tsx'
import { TrustPanel } from './trust-panel.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'
import { WorkspaceBadges } from './workspace-row.tsx'

/** One workspace: what it brings, whether that is trusted, and what it means. */
export function WorkspacePage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['workspaces', id],
    queryFn: ({ signal }) => api.getWorkspace({ params: { id }, signal }),
  })
  const words = text.workspaces.page
  const isGone = query.error instanceof ApiError && query.error.status < 500 && query.data === undefined
  const [, navigate] = useLocation()
  const workspace = query.data
  return (
    <Page
      title={workspace ? withVisibleControls(workspace.name) : text.workspaces.title}
      back={{ href: '/workspaces', label: words.back }}
      actions={
        workspace && <WorkspaceMenu workspace={workspace} onForgotten={() => navigate('/workspaces')} />
      }
    >
      {isGone ? (
        <Empty icon={FolderGit2} title={words.gone}>
          {words.goneHint}
        </Empty>
      ) : (
        <QueryView query={query}>{(found) => <Details workspace={found} />}</QueryView>
      )}
    </Page>
  )
}

function Details({ workspace }: { workspace: Workspace }) {
  const trust = useQuery({
    queryKey: ['workspace-trust', workspace.id],
    queryFn: ({ signal }) => api.getWorkspaceTrust({ params: { id: workspace.id }, signal }),
  })
  const panel = (
    <QueryView query={trust}>{(found) => <TrustPanel workspace={workspace} trust={found} />}</QueryView>
  )
  const isPhone = useIsPhone()
  return (
    <>
      {isPhone && panel}
      <About workspace={workspace} />
      {!isPhone && panel}
      <HooksCard workspaceId={workspace.id} />
      <LoadsCard workspace={workspace} />
      <LatestSessions workspaceId={workspace.id} />
    </>
  )
}

/** Where it is and what leads on from it; on a phone after what trust covers, which people come for. */
function About({ workspace }: { workspace: Workspace }) {
  const words = text.workspaces
  const query = workspace.main ? '' : `?workspace=${workspace.id}`
  return (
    <>
      <div className="flex min-w-0 flex-col gap-2">
        <div className="flex items-center gap-1">
          <bdi dir="ltr" className="min-w-0 font-mono text-sm break-all text-soft">
            <SafeText text={workspace.path} />
          </bdi>
          <CopyButton value={workspace.path} label={words.copyPath} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <WorkspaceBadges workspace={workspace} />
        </div>
        <div className="flex flex-wrap gap-x-4 text-sm">
          <PageLink href={`/new?workspace=${workspace.id}`} icon={<SquarePen aria-hidden size={15} />}>
            {words.page.newSession}
          </PageLink>
          <PageLink href={`/mcp${query}`} icon={<Plug aria-hidden size={15} />}>
            {words.page.mcp}
          </PageLink>
          <PageLink href={`/tools${query}`} icon={<Wrench aria-hidden size={15} />}>
            {words.page.tools}
          </PageLink>
        </div>
      </div>
      {workspace.warning !== undefined && (
        <Notice tone="warn">
          <ServerSentence said={workspace.said} message={workspace.warning} />
        </Notice>
      )}
      <Notice
        tone={workspace.trust === 'trusted' ? 'ok' : workspace.trust === 'changed' ? 'warn' : 'neutral'}
      >
        {`${words.trust[workspace.trust]}. ${words.trustHints[workspace.trust]}`}
      </Notice>
    </>
  )
}

function PageLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Link href={href} className="inline-flex min-h-8 items-center gap-1.5 link max-sm:min-h-10">
      {icon}
      {children}
    </Link>
  )
}
