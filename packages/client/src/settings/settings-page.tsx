import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { text } from '../text/page-text.ts'
import { Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { PageSettings } from './page-settings.tsx'
import { ServerSettings } from './server-settings.tsx'

export function SettingsPage() {
  const query = useQuery({ queryKey: ['config'], queryFn: ({ signal }) => api.getConfig({ signal }) })
  return (
    <Page title={text.settings.title} description={text.settings.lead}>
      <PageSettings />
      <QueryView query={query}>{(view) => <ServerSettings view={view} />}</QueryView>
    </Page>
  )
}
