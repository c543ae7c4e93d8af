import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compiledThread } from './compiled-thread.ts'

const threads = ['database', 'checkpointer', 'maintenance', 'transcript-index'] as const

// A thread loads for itself what the main one has too: with Zod and the contract's schemas that was 20 MB for each.
it.each(threads)('the thread %s has no Zod, nor another package but the database', (name) => {
  const file = compiledThread(name)
  const { sources }: { sources: string[] } = JSON.parse(readFileSync(`${file.pathname}.map`, 'utf8'))
  expect(sources.some((path) => path.endsWith('sqlite/worker/database.js'))).toBe(true)
  expect(sources.filter((path) => path.includes('node_modules'))).toEqual([])
  const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*?["']([^"']+)["'];?$/gm)
  const packages = [...imports].map(([, from]) => from).filter((from) => !from?.startsWith('node:'))
  expect(packages).toEqual(['libsql'])
})
