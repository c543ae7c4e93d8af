import { ApiError, type McpServerDetails } from '@dorkos/shared'
import { PlugZap } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Card, Empty, Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { overriddenBy } from './group-servers.ts'
import { HealthHistory } from './health-history.tsx'
import { useMcpList, useMcpServer } from './mcp-queries.ts'
import { openTools, realTools } from './open-tools.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { ServerActions } from './server-actions.tsx'
import { ServerError } from './server-error.tsx'
import { ServerFacts } from './server-facts.tsx'
import { ServerOffers } from './server-offers.tsx'
import { ServerSharing } from './server-sharing.tsx'
import { isRunHere, type McpTool } from './server-state.ts'
import { ServerSwitch } from './server-switch.tsx'
import { SignedIn } from './signed-in.tsx'
import { SourceLink } from './source-link.tsx'
import { locationOf, whyUnused } from './source-text.ts'
import { StateMark } from './state-mark.tsx'
import { StderrView } from './stderr-view.tsx'
import { ToolList } from './tool-list.tsx'
import { useWorkspaceChoice } from './use-workspace-choice.ts'
import { McpWorkspacePicker } from './workspace-picker.tsx'

/** One MCP server: where it is from, how it does, its tools, and what it wrote. */
export function McpServerPage({ name }: { name: string }) {
  const choice = useWorkspaceChoice()
  const query = useMcpServer(name, choice.id)
  const isGone = query.error instanceof ApiError && query.error.code === 'not_found'
  const search = choice.id === undefined ? '' : `?workspace=${encodeURIComponent(choice.id)}`
  return (
    <Page
      title={withVisibleControls(name)}
      back={{ href: `/mcp${search}`, label: text.mcp.server.back }}
      actions={<McpWorkspacePicker choice={choice} />}
    >
      {isGone ? (
        <Empty icon={PlugZap} title={text.mcp.server.notHere}>
          {text.mcp.server.notHereHint}
        </Empty>
      ) : (
        <QueryView query={query}>
          {(details) => <Details details={details} choiceId={choice.id} workspaceId={choice.chosen?.id} />}
        </QueryView>
      )}
    </Page>
  )
}

interface DetailsProps {
  details: McpServerDetails
  choiceId: string | undefined
  workspaceId: string | undefined
}

function Details({ details, choiceId, workspaceId }: DetailsProps) {
  const [, navigate] = useLocation()
  const { server, history, stderr } = details
  return (
    <>
      {/* On a phone one line, without a frame: people come for the tools below. */}
      <Card className="flex flex-col gap-3 max-sm:border-0 max-sm:bg-transparent max-sm:p-0">
        <div className="flex items-center gap-x-3 max-sm:gap-x-2">
          <StateMark server={server} />
          <span className="min-w-0 flex-1">
            <SourceLink server={server} />
          </span>
          <span className="flex shrink-0 items-center gap-1">
            <ServerActions server={server} workspaceId={choiceId} onRemoved={() => navigate('/mcp')} />
            <ServerSwitch server={server} workspaceId={workspaceId} />
          </span>
        </div>
        {server.use !== 'active' && (
          <Notice tone="neutral">
            <SafeText text={whyUnused(server)} />
          </Notice>
        )}
        <Overrides details={details} choiceId={choiceId} />
        <ServerError server={server} workspaceId={choiceId} />
        <SignedIn server={server} workspaceId={choiceId} />
      </Card>
      <Tools details={details} choiceId={choiceId} workspaceId={workspaceId} />
      <ServerOffers details={details} />
      <Disclosure
        look="head"
        label={<span className="font-semibold">{text.mcp.server.details}</span>}
        className="overflow-hidden rounded-xl border border-line bg-card"
        bodyClassName="flex flex-col gap-3 border-t border-line p-4"
      >
        <ServerFacts server={server} tools={realTools(details.tools)} />
        <ServerSharing server={server} workspaceId={choiceId} />
      </Disclosure>
      <Card className="flex flex-col gap-2">
        <h2 className="font-semibold">{text.mcp.history.title}</h2>
        <HealthHistory name={server.name} history={history} />
      </Card>
      {server.entry.type === 'stdio' && (
        <Card className="flex flex-col gap-2">
          <h2 className="font-semibold">{text.mcp.server.stderrTitle}</h2>
          <StderrView lines={stderr} />
        </Card>
      )}
    </>
  )
}

function Overrides({ details: { server }, choiceId }: Pick<DetailsProps, 'details' | 'choiceId'>) {
  const { data } = useMcpList(choiceId)
  const below = overriddenBy(server, data?.servers ?? [])
  if (below.length === 0) return null
  return (
    <p className="text-sm text-soft">
      {text.mcp.overrides}{' '}
      {below.map((one) => (
        <bdi key={locationOf(one.source)} className="mr-2 font-mono text-xs break-all">
          <SafeText text={locationOf(one.source)} />
        </bdi>
      ))}
    </p>
  )
}

function Tools({ details, choiceId, workspaceId }: DetailsProps) {
  const { server } = details
  const isAdmin = useCan('admin')
  const [review, setReview] = useState<readonly McpTool[]>()
  const tools = realTools(details.tools)
  const open = openTools(details.tools)
  const words = text.mcp.server
  const title = <h2 className="font-semibold">{words.toolsTitle(tools.length)}</h2>
  return (
    <section className="flex min-w-0 flex-col gap-2">
      {open.length > 0 && (
        <Notice
          tone="warn"
          action={
            <Button size="sm" onClick={() => setReview(open)}>
              {text.mcp.review.open(open.length)}
            </Button>
          }
        >
          {text.mcp.review.notice(open.length)} {open.some(({ pin }) => pin.held) && text.mcp.review.held}
        </Notice>
      )}
      {tools.length === 0 ? (
        <>
          {title}
          <p className="text-sm text-soft">
            {words.toolsNone} {isAdmin && isRunHere(server) && words.toolsNoneTest}
          </p>
        </>
      ) : (
        <ToolList
          title={title}
          server={server.name}
          tools={tools}
          workspaceId={workspaceId}
          canRun={isRunHere(server)}
          onReview={(tool) => setReview([tool])}
        />
      )}
      {review && (
        <ReviewDialog
          server={server.name}
          workspaceId={choiceId}
          tools={review}
          onClose={() => setReview(undefined)}
        />
      )}
    </section>
  )
}
