import type { Banner, Status } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { BookOpen, ClipboardCopy } from 'lucide-react'
import { api } from '../api.ts'
import { useConnection } from '../live/use-live.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ServerSentence } from '../ui/server-sentence.tsx'
import { toast } from '../ui/toast.tsx'
import { diagnostics } from './diagnostics.ts'
import {
  CliCard,
  ContainersCard,
  IndexCard,
  ModelCard,
  SandboxCard,
  ServerStatusCard,
  SessionsCard,
} from './server-cards.tsx'

const refreshMs = 15_000
const tones = { info: 'neutral', warning: 'warn', danger: 'danger' } as const

export function SystemPage() {
  const t = text.system
  const query = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.getStatus({ signal }),
    refetchInterval: refreshMs,
  })
  return (
    <Page title={t.title} description={t.lead} wide actions={<Actions status={query.data} />}>
      <QueryView query={query}>{(status) => <Parts status={status} />}</QueryView>
    </Page>
  )
}

function Parts({ status }: { status: Status }) {
  return (
    <>
      <Banners banners={status.banners} />
      <div className="grid gap-4 md:grid-cols-2">
        <ServerStatusCard status={status} />
        <CliCard cli={status.cli} />
        <ModelCard model={status.model} />
        <SandboxCard sandbox={status.sandbox} />
        <SessionsCard status={status} />
        <ContainersCard containers={status.containers} />
        <div className="grid md:col-span-2">
          <IndexCard index={status.index} />
        </div>
      </div>
    </>
  )
}

function Banners({ banners }: { banners: readonly Banner[] }) {
  const t = text.system
  if (banners.length === 0) return <Notice tone="ok">{t.wellNow}</Notice>
  return (
    <ul className="flex flex-col gap-2">
      {banners.map(({ code, level, message, said }) => (
        <li key={code}>
          <Notice tone={tones[level]}>
            <strong className="block font-medium">{t.bannerLevels[level]}</strong>
            <ServerSentence said={said} message={message} />
          </Notice>
        </li>
      ))}
    </ul>
  )
}

function Actions({ status }: { status: Status | undefined }) {
  const t = text.system
  const { state } = useConnection()
  const copy = async (known: Status) => {
    const page = {
      browser: navigator.userAgent,
      language: navigator.language,
      connection: state,
      time: new Date().toISOString(),
    }
    try {
      await navigator.clipboard.writeText(diagnostics(known, page))
      toast.ok(t.copied)
    } catch {
      toast.error(text.ui.copyFailed)
    }
  }
  return (
    <>
      <Button iconOnPhone icon={ClipboardCopy} busy={!status} onClick={() => status && void copy(status)}>
        {t.copy}
      </Button>
      <a
        href="/api/docs"
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex min-h-9 max-sm:min-h-11 items-center gap-2 justify-center rounded-md border border-line-strong bg-card px-3.5 text-sm font-medium hover:bg-hover max-sm:min-w-11 max-sm:px-0"
      >
        <BookOpen aria-hidden size={16} />
        <span className="max-sm:sr-only">{t.docs}</span>
      </a>
    </>
  )
}
