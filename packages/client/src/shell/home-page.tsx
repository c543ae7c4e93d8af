import type { Session, TurnOutcome } from '@dorkos/shared'
import { Link } from 'wouter'
import { useCan } from '../auth/auth-store.ts'
import { NewSession } from '../composer/new-session.tsx'
import { useChoices, useDefaults } from '../composer/use-new-session.ts'
import { useApprovals } from '../live/use-live.ts'
import { useStatus } from '../queries/use-status.ts'
import { useWorkspaces } from '../queries/workspaces.ts'
import { SessionRow } from '../sessions/session-row.tsx'
import { useUnread } from '../sessions/unread-store.ts'
import { useSessionList } from '../sessions/use-session-list.ts'
import { text } from '../text/later-text.ts'
import { formatUsd } from '../ui/format.ts'
import { Card, Page } from '../ui/page.tsx'
import { Loading } from '../ui/spinner.tsx'
import { CheckList } from './check-list.tsx'
import { homeSections } from './home-sections.ts'
import { NeedsYou } from './needs-you.tsx'
import { Onboarding } from './onboarding.tsx'
import { onboardingChecks } from './onboarding-checks.ts'
import { RunningRow } from './running-row.tsx'
import { TodayCost } from './today-cost.tsx'

/** Where one left off, what waits, and what is new; for a new owner how to begin. */
export function HomePage() {
  const list = useSessionList('active')
  const status = useStatus()
  const workspaces = useWorkspaces()
  const checks = status && onboardingChecks(status, workspaces)
  if (list.pending && list.sessions.length === 0) return <Loading />
  // Sessions of a terminal are there before anybody has begun here.
  const isNew = !list.error && list.sessions.every(({ origin }) => origin === 'terminal')
  if (isNew) {
    return (
      <Page title={text.shell.onboarding.title} description={text.shell.onboarding.lead}>
        <Onboarding checks={checks} />
        <Sections sessions={list.sessions} />
      </Page>
    )
  }
  const faults = checks?.filter(({ state }) => state === 'missing') ?? []
  return (
    <Page title={text.shell.home.title} actions={<TodayCost />}>
      <Start />
      <Sections sessions={list.sessions} />
      {faults.length > 0 && (
        <Card>
          <h2 className="pb-3 text-sm font-semibold">{text.shell.home.setUp}</h2>
          <CheckList checks={faults} />
          <Link href="/system" className="mt-3 inline-block text-sm link">
            {text.shell.home.setUpMore}
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
  const { working, news } = homeSections(sessions, unread)
  const words = text.shell.home
  const parts: [string, readonly Session[]][] = [
    [words.working, working],
    [words.news, news],
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
                  {some === working ? (
                    <RunningRow session={session} index={index} unread={unread(session)} />
                  ) : (
                    <SessionRow
                      session={session}
                      index={index}
                      current={false}
                      unread={unread(session)}
                      more={outcomeOf(session)}
                    />
                  )}
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
  const outcomes: Readonly<Partial<Record<TurnOutcome, string>>> = text.shell.home.outcomes
  const words = outcomes[session.last_outcome ?? 'completed'] ?? text.shell.home.outcomes.completed
  const cost = session.demo || session.cost_usd === undefined ? [] : [formatUsd(session.cost_usd)]
  return [words, ...cost].join(' · ')
}
