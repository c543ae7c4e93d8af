import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/later-text.ts'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { FirstPrompts } from './first-prompts.tsx'
import { NewSession } from './new-session.tsx'
import { MoreOptions } from './new-session-options.tsx'
import { useChoices, useDefaults } from './use-new-session.ts'

export function NewSessionPage() {
  const words = text.composer.fresh
  const [choices, change] = useChoices()
  const defaults = useDefaults()
  return (
    <Page title={words.title}>
      {useCan('chat') ? (
        <>
          <NewSession choices={choices} defaults={defaults} onChange={change} focusAtStart />
          <FirstPrompts />
          <MoreOptions choices={choices} defaults={defaults} onChange={change} />
        </>
      ) : (
        <Notice>{words.readOnly}</Notice>
      )}
    </Page>
  )
}
