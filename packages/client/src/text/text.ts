/**
 * Every word of the page, by area. A translation is another object of this shape. Here is what the first look needs; `later-text.ts` has
 * the words of home and other small parts besides, `card-text.ts` those of approvals, and `page-text.ts` those of all other screens. They are
 * loaded with what uses them.
 */
import { approvals } from './en/approvals.ts'
import { auth } from './en/auth.ts'
import { composer } from './en/composer.ts'
import { conversation } from './en/conversation.ts'
import { dictation } from './en/dictation.ts'
import { render } from './en/render.ts'
import { sessions } from './en/sessions.ts'
import { shell } from './en/shell.ts'
import { ui } from './en/ui.ts'

export const text = {
  approvals,
  auth,
  composer,
  conversation,
  dictation,
  render,
  sessions,
  shell,
  ui,
}
