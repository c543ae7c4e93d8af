/** The words of `page-text.ts` with those of the configuration's keys, which only the settings show. */
import { configKeys } from './en/config-keys.ts'
import { text as first } from './page-text.ts'

export const text = { ...first, configKeys }
