import { pagePaths } from '@dorkos/shared'
import { Compass } from 'lucide-react'
import { Suspense } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { screens } from '../routes.tsx'
import { text } from '../text/text.ts'
import { Empty, Page } from '../ui/page.tsx'
import { Loading } from '../ui/spinner.tsx'
import { PageBoundary } from './page-boundary.tsx'

/** What the address names. */
export function Screen() {
  const [path] = useLocation()
  return (
    <PageBoundary resetKey={path}>
      <Suspense fallback={<Loading />}>
        <Switch>
          {pagePaths.map((path) => {
            const One = screens[path]
            return (
              <Route key={path} path={path}>
                {(params: Record<string, string | undefined>) => <One params={named(params)} />}
              </Route>
            )
          })}
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
    </PageBoundary>
  )
}

function named(params: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

function NotFoundPage() {
  return (
    <Page title={text.shell.notFound}>
      <Empty icon={Compass} title={text.shell.notFoundLead}>
        <Link href="/" className="link">
          {text.shell.toHome}
        </Link>
      </Empty>
    </Page>
  )
}
