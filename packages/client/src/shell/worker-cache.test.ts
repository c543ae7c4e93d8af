import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stampWorker } from '../../stamp-worker.mjs'

const origin = 'http://dorkos.test'
const source = join(import.meta.dirname, '../../public/sw.js')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dorkos-worker-'))
  mkdirSync(join(folder, 'assets'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function built(assets: readonly string[], html = '<!doctype html>'): string {
  cpSync(source, join(folder, 'sw.js'))
  rmSync(join(folder, 'assets'), { recursive: true })
  mkdirSync(join(folder, 'assets'))
  for (const name of assets) writeFileSync(join(folder, 'assets', name), '')
  writeFileSync(join(folder, 'index.html'), html)
  stampWorker(folder)
  return readFileSync(join(folder, 'sw.js'), 'utf8')
}

const cacheNameOf = (script: string) => /dorkos-shell-[^']+/.exec(script)?.[0] ?? ''

describe('the cache of a build', () => {
  it('has a name of its own, that is the same for the same files', () => {
    const names = [built(['a-1.js']), built(['a-1.js', 'b-2.js']), built(['a-1.js'], '<html>')].map(
      cacheNameOf,
    )
    expect(new Set(names).size).toBe(3)
    for (const name of names) expect(name).toMatch(/^dorkos-shell-[0-9a-f]{16}$/)
    expect(cacheNameOf(built(['a-1.js']))).toBe(names[0])
  })
})

interface Answer {
  status?: number
  type?: string
  url?: string
  redirected?: boolean
  contentType?: string
}

/** Runs the worker with caches in memory. `answer`: what the network gives. */
function startWorker(answer: Answer, stored: Record<string, string[]> = {}) {
  const caches = new Map(Object.entries(stored).map(([name, keys]) => [name, new Set(keys)]))
  const listeners = new Map<string, (event: unknown) => void>()
  const pathOf = (key: string | URL | { url: string }) => {
    const url = new URL(typeof key === 'object' && 'url' in key ? key.url : key, origin)
    return url.origin === origin ? url.pathname : url.href
  }
  const open = (name: string) => {
    const kept = caches.get(name) ?? new Set()
    caches.set(name, kept)
    return {
      put: async (key: string | { url: string }) => void kept.add(pathOf(key)),
      keys: async () => [...kept].map((path) => ({ url: origin + path })),
      delete: async (key: { url: string }) => kept.delete(pathOf(key)),
    }
  }
  const fetched: string[] = []
  const fetch = async (what: string | URL | { url: string }) => {
    const path = pathOf(what)
    fetched.push(path)
    const { status = 200, type = 'basic', url = origin + path, redirected = false } = answer
    const headers = new Headers({ 'content-type': answer.contentType ?? 'text/javascript' })
    return {
      status,
      ok: status < 300,
      type,
      url,
      redirected,
      headers,
      clone: () => ({}),
      text: async () => '',
    }
  }
  runInNewContext(built(['a-1.js']), {
    URL,
    fetch,
    caches: {
      open: async (name: string) => open(name),
      keys: async () => [...caches.keys()],
      delete: async (name: string) => caches.delete(name),
      match: async (key: { url: string }, { cacheName }: { cacheName: string }) =>
        caches.get(cacheName)?.has(pathOf(key)) ? { fromCache: true } : undefined,
    },
    self: {
      location: { origin },
      clients: { claim: async () => undefined },
      addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    },
  })
  const dispatch = async (name: string, event: object) => {
    const waits: Promise<unknown>[] = []
    const take = (promise: Promise<unknown>) => void waits.push(promise)
    listeners.get(name)?.({ ...event, waitUntil: take, respondWith: take })
    await Promise.all(waits)
  }
  return {
    caches,
    fetched,
    activate: () => dispatch('activate', {}),
    load: (path: string) =>
      dispatch('fetch', {
        request: { url: origin + path, method: 'GET', mode: 'cors', destination: 'script' },
      }),
    open: (address: string) =>
      dispatch('fetch', {
        request: { url: origin + address, method: 'GET', mode: 'navigate', destination: 'document' },
      }),
    kept: () => [...(caches.get(cacheNameOf(built(['a-1.js']))) ?? [])],
  }
}

describe('the worker', () => {
  it('throws away what other builds kept, and serves nothing of it', async () => {
    const worker = startWorker({}, { 'dorkos-shell-1': ['/assets/a-1.js'], 'other-app': ['/x'] })
    await worker.activate()
    expect([...worker.caches.keys()]).toEqual(['other-app'])
    await worker.load('/assets/a-1.js')
    expect(worker.fetched).toEqual(['/assets/a-1.js'])
    await worker.load('/assets/a-1.js')
    expect(worker.fetched).toHaveLength(1)
  })

  it('asks for a document without the query: it can hold the code of a sign-in', async () => {
    const worker = startWorker({ contentType: 'text/html; charset=utf-8' })
    await worker.open('/mcp-sign-in?code=secret&state=s')
    expect([worker.fetched, worker.kept()]).toEqual([['/mcp-sign-in'], ['/']])
  })

  it('asks nobody else for a document, whatever its address looks like', async () => {
    const worker = startWorker({ contentType: 'text/html; charset=utf-8' })
    await worker.open('//evil.test/x')
    expect(worker.fetched).toEqual(['//evil.test/x'])
  })

  it.each<[string, Answer]>([
    ['another status', { status: 203 }],
    ['an error', { status: 404 }],
    ['a part', { status: 206 }],
    ['another origin', { type: 'cors', url: 'http://evil.test/assets/a-1.js' }],
    ['a redirect', { redirected: true, url: `${origin}/elsewhere.js` }],
    ['a document', { contentType: 'text/html; charset=utf-8' }],
  ])('does not keep %s in place of a file', async (_, answer) => {
    for (const path of ['/assets/a-1.js', '/theme.js']) {
      const worker = startWorker(answer)
      await worker.load(path)
      expect([worker.fetched, worker.kept()]).toEqual([[path], []])
    }
  })
})
