import { Download, MonitorSmartphone, SquarePen } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useInstall } from '../browser/install.ts'
import { text } from '../text/later-text.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/page.tsx'
import { Loading } from '../ui/spinner.tsx'
import { CheckList } from './check-list.tsx'
import type { Check } from './onboarding-checks.ts'

/** The start page while there is nothing yet: what is there, what is missing, and how to begin. */
export function Onboarding({ checks }: { checks: readonly Check[] | undefined }) {
  const [, go] = useLocation()
  const install = useInstall()
  const words = text.shell.onboarding
  return (
    <>
      <Card className="flex flex-col items-start gap-3">
        <h2 className="font-semibold">{words.start}</h2>
        <p className="text-sm text-soft">{words.startLead}</p>
        <Button variant="primary" icon={SquarePen} onClick={() => go('/new')}>
          {text.shell.pages.newSession}
        </Button>
      </Card>
      <Card>
        <h2 className="pb-3 font-semibold">{words.checks}</h2>
        {checks ? <CheckList checks={checks} /> : <Loading />}
      </Card>
      <div className={`grid gap-4 ${install ? 'sm:grid-cols-2' : ''}`}>
        <Card className="flex flex-col items-start gap-2">
          <h2 className="flex items-center gap-2 text-sm font-semibold">
            <MonitorSmartphone aria-hidden size={16} /> {words.phone}
          </h2>
          <p className="text-sm text-soft">{words.phoneLead}</p>
          <Link href="/devices#add" className="text-sm link">
            {text.shell.devices}
          </Link>
        </Card>
        {install && (
          <Card className="flex flex-col items-start gap-2">
            <h2 className="flex items-center gap-2 text-sm font-semibold">
              <Download aria-hidden size={16} /> {words.install}
            </h2>
            <p className="text-sm text-soft">{words.installLead}</p>
            <Button size="sm" onClick={install}>
              {text.shell.install}
            </Button>
          </Card>
        )}
      </div>
    </>
  )
}
