import type { Session } from '@dorkos/shared'
import { Link } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { remembered } from '../browser/remembered.ts'
import { NewSession } from '../composer/new-session.tsx'
import { useChoices, useDefaults } from '../composer/use-new-session.ts'
import { useApprovals } from '../live/use-live.ts'
import { useStatus } from '../queries/use-status.ts'
import { useWorkspaces } from '../queries/workspaces.ts'
import { SessionRow } from '../sessions/session-row.tsx'
import { useUnread } from '../sessions/unread-store.ts'
import { useSessionList } from '../sessions/use-session-list.ts'
import { text } from '../text/text.ts'
import { formatUsd } from '../ui/format.ts'
import { Card, Page } from '../ui/page.tsx'
import { Loading } from '../ui/spinner.tsx'
import { CheckList } from './check-list.tsx'
import { lastSessionKey } from './current-session.ts'
import { homeSections } from './home-sections.ts'
import { NeedsYou } from './needs-you.tsx'
import { Onboarding } from './onboarding.tsx'
import { onboardingChecks } from './onboarding-checks.ts'

/** Where one left off, what waits, and what is new; for a new owner how to begin. */
export function HomePage() {
  const list = useSessionList('active')
  const status = useStatus()
  const workspaces = useWorkspaces()
  const words = text.shell
  const checks = status && onboardingChecks(status, workspaces)
  if (list.pending && list.sessions.length === 0) return <Loading />
  // Sessions of a terminal are there before anybody has begun here.
  const isNew = !list.error && list.sessions.every(({ origin }) => origin === 'terminal')
  if (isNew) {
    return (
      <Page title={words.onboarding.title} description={words.onboarding.lead}>
        <Onboarding checks={checks} />
        <Sections sessions={list.sessions} />
      </Page>
    )
  }
  const faults = checks?.filter(({ state }) => state === 'missing') ?? []
  return (
    <Page title={words.home.title}>
      <Start />
      <Sections sessions={list.sessions} />
      {faults.length > 0 && (
        <Card>
          <h2 className="pb-3 text-sm font-semibold">{words.home.setUp}</h2>
          <CheckList checks={faults} />
          <Link href="/system" className="mt-3 inline-block text-sm link">
            {words.home.setUpMore}
          </Link>
        </Card>
      )}
    </Page>
  )
}

function Start() {
  const [choices, change] = useChoices()
  const defaults = useDefaults()
  return useCan('chat') ? <NewSession choices={choices} defaults={defaults} onChange={change} folds /> : null
}

function Sections({ sessions }: { sessions: readonly Session[] }) {
  const unread = useUnread()
  const approvals = useApprovals()
  const { working, news, recent, last } = homeSections(sessions, unread, remembered(lastSessionKey))
  const words = text.shell.home
  const parts: [string, readonly Session[]][] = [
    [words.working, working],
    [words.news, news],
    [words.goOn, last ? [last] : []],
    [words.recent, recent],
  ]
  return (
    <>
      {approvals.length > 0 && (
        <section>
          <h2 className="pb-1 text-sm font-semibold text-soft">{words.needsYou}</h2>
          <NeedsYou approvals={approvals} />
        </section>
      )}
      {parts.map(([title, some]) =>
        some.length === 0 ? null : (
          <section key={title}>
            <h2 className="pb-1 text-sm font-semibold text-soft">{title}</h2>
            <ul className="rounded-xl border border-line bg-card p-1.5">
              {some.map((session, index) => (
                <li key={session.id}>
                  <SessionRow
                    session={session}
                    index={index}
                    current={false}
                    unread={unread(session)}
                    more={some === news ? outcomeOf(session) : undefined}
                  />
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
    </>
  )
}

/** How it ended, and what it has cost. */
function outcomeOf(session: Session): string {
  const words =
    text.shell.home.outcomes[
      session.state === 'failed' || session.state === 'interrupted' ? session.state : 'idle'
    ]
  const cost = session.demo || session.cost_usd === undefined ? [] : [formatUsd(session.cost_usd)]
  return [words, ...cost].join(' · ')
}
