import type { Status } from '@dorkos/shared'
import { useConnection } from '../live/use-live.ts'
import { text } from '../text/page-text.ts'
import { formatDuration, formatNumber } from '../ui/format.ts'
import { ServerSentence } from '../ui/server-sentence.tsx'
import { Time } from '../ui/time.tsx'
import { Fact, FactCard, Facts } from './fact-card.tsx'

export function ServerStatusCard({ status }: { status: Status }) {
  const t = text.system
  const { state } = useConnection()
  return (
    <FactCard title={t.server}>
      <Facts>
        <Fact name={t.version}>{status.version}</Fact>
        <Fact name={t.started}>
          <Time value={status.started_at} />
        </Fact>
        <Fact name={t.uptime}>{formatDuration(status.uptime_seconds * 1000)}</Fact>
        <Fact name={t.address} mono>
          {address(status)}
        </Fact>
        <Fact name={t.connection}>{t.connections[state]}</Fact>
      </Facts>
    </FactCard>
  )
}

function address({ host, port }: Status): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

export function CliCard({ cli }: { cli: Status['cli'] }) {
  const t = text.system
  const works = cli.fault === undefined && cli.path !== undefined
  return (
    <FactCard
      title={t.cli}
      state={works ? { words: t.works, tone: 'ok' } : { words: t.broken, tone: 'danger' }}
    >
      <Facts>
        {cli.version !== undefined && <Fact name={t.version}>{cli.version}</Fact>}
        <Fact name={t.cliPath} mono>
          {cli.path ?? t.cliMissing}
        </Fact>
        {cli.fault !== undefined && <Fact name={t.cliFault}>{cli.fault}</Fact>}
      </Facts>
    </FactCard>
  )
}

export function ModelCard({ model }: { model: Status['model'] }) {
  const t = text.system
  return (
    <FactCard
      title={t.model}
      state={{ words: t.modes[model.mode], tone: model.mode === 'demo' ? 'neutral' : 'ok' }}
    >
      <Facts>
        <Fact name={t.source}>{t.sources[model.source]}</Fact>
        <Fact name={t.gateway}>{model.gateway ? t.gatewayOn : t.gatewayOff}</Fact>
      </Facts>
    </FactCard>
  )
}

export function SandboxCard({ sandbox }: { sandbox: Status['sandbox'] }) {
  const t = text.system
  return (
    <FactCard
      title={t.sandbox}
      state={sandbox.enabled ? { words: t.sandboxOn, tone: 'ok' } : { words: t.sandboxOff, tone: 'danger' }}
    >
      <p className="text-sm">{sandbox.enabled ? t.sandboxOnMeans : t.sandboxOffMeans}</p>
      {!sandbox.enabled && (
        <Facts>
          {sandbox.reason !== undefined && (
            <Fact name={t.why}>
              <ServerSentence said={sandbox.said} message={sandbox.reason} />
            </Fact>
          )}
          <Fact name={t.how}>{t.sandboxHow}</Fact>
        </Facts>
      )}
    </FactCard>
  )
}

export function ContainersCard({ containers }: { containers: Status['containers'] }) {
  const t = text.system
  return (
    <FactCard
      title={t.containers}
      state={
        containers.available
          ? { words: t.containersOn, tone: 'ok' }
          : { words: t.containersOff, tone: 'neutral' }
      }
    >
      <p className="text-sm">{containers.available ? t.containersOnMeans : t.containersOffMeans}</p>
      {!containers.available && containers.reason !== undefined && (
        <Facts>
          <Fact name={t.why}>
            <ServerSentence said={containers.said} message={containers.reason} />
          </Fact>
        </Facts>
      )}
    </FactCard>
  )
}

export function SessionsCard({ status: { sessions, pending_approvals } }: { status: Status }) {
  const t = text.system
  return (
    <FactCard title={t.sessions}>
      <Facts>
        <Fact name={t.live}>{t.liveOf(sessions.live, sessions.max_live)}</Fact>
        <Fact name={t.working}>{sessions.working}</Fact>
        <Fact name={t.waiting}>{pending_approvals}</Fact>
      </Facts>
    </FactCard>
  )
}

export function IndexCard({ index: { indexed, transcripts } }: { index: Status['index'] }) {
  const t = text.system
  const done = indexed >= transcripts
  return (
    <FactCard title={t.index}>
      <Facts>
        <Fact name={t.indexed}>{t.indexedOf(formatNumber(indexed), formatNumber(transcripts))}</Fact>
      </Facts>
      {!done && (
        <progress
          aria-label={t.index}
          max={transcripts}
          value={indexed}
          className="h-2 w-full accent-(--ink)"
        />
      )}
      <p className="text-sm text-soft">
        {transcripts === 0 ? t.indexEmpty : done ? t.indexDone : t.indexGoing}
      </p>
    </FactCard>
  )
}
