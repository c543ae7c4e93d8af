/** The words of `text.ts` with those of hooks, which few conversations have. */
import { hooks } from './en/hooks.ts'
import { text as first } from './text.ts'

export const text = { ...first, hooks }
