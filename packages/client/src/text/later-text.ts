/** The words of `text.ts` with those of small parts that come right after the first look: home, new sessions, selections, the palette. */
import { bulk } from './en/bulk.ts'
import { home } from './en/home.ts'
import { fresh } from './en/new-session.ts'
import { onboarding } from './en/onboarding.ts'
import { palette } from './en/palette.ts'
import { text as first } from './text.ts'

export const text = {
  ...first,
  bulk,
  composer: { ...first.composer, fresh },
  shell: { ...first.shell, home, onboarding, palette },
}
