/** Hooks of a workspace's settings: what they say and do stands in the conversation, also after a reload. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { trustWorkspace } from '../../server/test/support/trust-workspace.ts'
import { text } from '../src/text/page-text.ts'
import { conversation, polling, said } from './support/on-page.ts'
import { usePage } from './support/open-page.ts'

const used = usePage({ isShared: true })
const echo = (word: string) => toolUse('Bash', { command: `echo ${word}`, description: 'a test' })
const h = text.hooks

async function hooked(): Promise<string> {
  const path = join(used.host.root, 'hooked')
  mkdirSync(join(path, '.claude'), { recursive: true })
  const command = (words: string) => ({ hooks: [{ type: 'command', command: words }] })
  const hooks = {
    PreToolUse: [command("if grep -q forbidden; then echo 'not that word' >&2; exit 2; fi")],
    PostToolUse: [command('cat message.json'), command('true')],
    Stop: [command("printf 'boom <b>\\342\\200\\256evil\\nline 2' >&2; exit 1")],
  }
  writeFileSync(join(path, 'message.json'), JSON.stringify({ systemMessage: 'formatted it\nin two lines' }))
  writeFileSync(join(path, '.claude', 'settings.json'), JSON.stringify({ hooks }))
  const { id } = await used.host.client.createWorkspace({ body: { path } })
  await trustWorkspace(used.host.client, id)
  const listed = await used.host.client.listWorkspaceHooks({ params: { id } })
  const digest = listed.hooks.find(({ decides, source }) => decides && source === 'project')?.digest ?? ''
  await used.host.client.allowWorkspaceHook({ params: { id }, body: { digest, grant: 'run' } })
  return id
}

it('are a quiet line that opens, red where they failed; a call that one denied says so', async () => {
  const workspace = await hooked()
  const session = await used.start([echo('fine'), echo('forbidden'), 'Finished.'], {
    workspace_id: workspace,
  })
  const { page } = await used.open(`/sessions/${session.id}`)
  const row = (name: string) => conversation(page).getByRole('button', { name })
  const spoke = row(`${h.said('PostToolUse:Bash')}${h.colon}formatted it`)
  const failed = row(`${h.failed('Stop')}${h.colon}boom <b>[U+202E]evil`)
  const checkRows = async () => {
    await said(page, 'Finished.').waitFor()
    await spoke.waitFor()
    await failed.waitFor()
    await row('echo forbidden').getByText(text.conversation.deniedByHook, { exact: true }).waitFor()
    await conversation(page).getByText('not that word').first().waitFor()
    // Of silent ones nothing is said.
    await expect
      .poll(
        () =>
          conversation(page)
            .getByRole('button', { name: /^Hook / })
            .count(),
        polling,
      )
      .toBe(2)
  }
  await checkRows()
  await spoke.click()
  await conversation(page).getByText('in two lines').waitFor()
  await page.reload()
  await checkRows()
  // Why it was denied stays in sight in the open card.
  await row('echo forbidden').click()
  await said(page, 'not that word').waitFor()
  await failed.click()
  await conversation(page).getByText('line 2').waitFor()
  const colour = (locator: typeof spoke) =>
    locator.locator('bdi').evaluate((element) => getComputedStyle(element).color)
  expect(await colour(failed)).not.toBe(await colour(spoke))
})
