import { Compass } from 'lucide-react'
import { Link } from 'wouter'
import { text } from '../text/text.ts'
import { Empty, Page } from '../ui/page.tsx'

export function NotFoundPage() {
  return (
    <Page title={text.shell.notFound}>
      <Empty icon={Compass} title={text.shell.notFoundLead}>
        <Link href="/" className="text-accent underline underline-offset-2">
          {text.shell.toHome}
        </Link>
      </Empty>
    </Page>
  )
}
