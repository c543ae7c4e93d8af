/** What a command prints is seen while it runs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { it } from 'vitest'
import { conversation, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })

it('shows the last lines of a command that runs, then its result', async () => {
  // Runs until the test has seen what it printed.
  const command = 'n=0; while [ ! -e seen ]; do n=$((n+1)); echo "line $n"; sleep 0.3; done; echo over'
  const call = toolUse('Bash', { command, description: 'a test' })
  const session = await used.start([call, 'Done.'], { permission_mode: 'bypassPermissions' })
  const { page } = await used.open(`/sessions/${session.id}`)
  const line = conversation(page).getByRole('button', { name: /while/ })
  await line.waitFor()
  if ((await line.getAttribute('aria-expanded')) !== 'true') await line.click()
  const printed = conversation(page).getByRole('figure')
  await printed.getByText(/line 1\nline 2/).waitFor()
  // All of it again, from the snapshot.
  await page.reload()
  if ((await line.getAttribute('aria-expanded')) !== 'true') await line.click()
  await printed.getByText(/line 2\nline 3/).waitFor()
  writeFileSync(join(used.host.cwd, 'seen'), '')
  await said(page, 'Done.').waitFor()
  await printed.getByText(/\nover$/).waitFor()
})
