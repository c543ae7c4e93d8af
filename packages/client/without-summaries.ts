/**
 * Leaves the sentences about endpoints out of the page: they are for the API's documentation, which the server writes. The typed client needs
 * the table for everything else that is in it.
 */
import type { Plugin } from 'vite'

const tables = /[\\/]shared[\\/]dist[\\/][\w-]*endpoints\.js$/

export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    transform: {
      filter: { id: tables },
      handler: (code) => ({ code: dropSummaries(code), map: null }),
    },
  }
}

/** One line each, as the compiler writes them. */
export function dropSummaries(code: string): string {
  return code.replaceAll(/^ *summary: (['"`]).*\1,\n/gm, '')
}
