/*
 * The service worker: opens the shell without a network, and brings the page forward when a notification is clicked. It never
 * touches the API: what the page shows of sessions is live, or says that it is not.
 */
/** The build puts in which one it is. What other builds kept is thrown away. */
const cacheName = 'dorkos-shell-BUILD_ID'
const maxAssets = 150
/** The document is the same at every address. */
const documentKey = '/'

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(keepShell().catch(() => undefined))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith('dorkos-') && name !== cacheName) await caches.delete(name)
      }
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname.startsWith('/api/') || url.pathname.startsWith('/diagram/')) return
  if (request.mode === 'navigate') {
    if (request.destination === 'document') event.respondWith(openDocument(url))
    return
  }
  if (url.pathname.startsWith('/assets/')) event.respondWith(loadAsset(request))
  else if (/^\/[\w-]+\.(js|svg|png|webmanifest)$/.test(url.pathname)) event.respondWith(networkFirst(request))
})

/** `data.path` says what to open: an address of the page, and nothing else. */
self.addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  const path = pathOf(notification.data)
  event.waitUntil(bringForward(path))
})

/** What the page needs at its start was loaded before this worker was there. */
async function keepShell() {
  const cache = await caches.open(cacheName)
  const response = await fetch(documentKey, { cache: 'no-cache' })
  if (!isDocument(response)) return
  const html = await response.clone().text()
  await cache.put(documentKey, response)
  const parts = [...new Set(html.match(/\/assets\/[\w.-]+/g) ?? []), '/theme.js', '/favicon.svg']
  await Promise.all(parts.map((part) => keepPart(cache, part).catch(() => undefined)))
}

async function keepPart(cache, path) {
  const response = await fetch(path)
  if (isOwnFile(response, path)) await cache.put(path, response)
}

/**
 * Asked for by its address: passed on as it is, a link from another site would be a request of that site, and those are refused.
 * There is nothing in the document that it could learn. Without the query, which is the page's alone: it can hold the code of a sign-in.
 */
async function openDocument({ pathname }) {
  try {
    // As it is, `//host` would be the address of another.
    const response = await fetch(new URL(self.location.origin + pathname), {
      headers: { accept: 'text/html' },
      cache: 'no-cache',
    })
    if (isDocument(response)) await keep(documentKey, response)
    return response
  } catch (error) {
    const kept = await caches.match(documentKey, { cacheName })
    if (kept) return kept
    throw error
  }
}

/** The name of an asset changes with its content. */
async function loadAsset(request) {
  const kept = await caches.match(request, { cacheName })
  if (kept) return kept
  const response = await fetch(request)
  if (isOwnFile(response, new URL(request.url).pathname)) await keep(request, response)
  return response
}

async function networkFirst(request) {
  try {
    const response = await fetch(request)
    if (isOwnFile(response, new URL(request.url).pathname)) await keep(request, response)
    return response
  } catch (error) {
    const kept = await caches.match(request, { cacheName })
    if (kept) return kept
    throw error
  }
}

/** A full disk must not keep the page from opening. */
async function keep(key, response) {
  try {
    const cache = await caches.open(cacheName)
    await cache.put(key, response.clone())
    const keys = await cache.keys()
    const assets = keys.filter(({ url }) => new URL(url).pathname.startsWith('/assets/'))
    await Promise.all(assets.slice(0, Math.max(0, assets.length - maxAssets)).map((old) => cache.delete(old)))
  } catch {}
}

/** The very file that was asked for, whole, from this server: not what a redirect led to, nor a document in its place. */
function isOwnFile(response, path) {
  const url = new URL(response.url)
  if (response.status !== 200 || response.type !== 'basic' || response.redirected) return false
  return url.origin === self.location.origin && url.pathname === path && !isHtml(response)
}

function isDocument(response) {
  return response.status === 200 && response.type === 'basic' && isHtml(response)
}

function isHtml(response) {
  return (response.headers.get('content-type') ?? '').startsWith('text/html')
}

function pathOf(data) {
  const path = typeof data === 'object' && data !== null ? data.path : undefined
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/'
}

async function bringForward(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page =
    windows.find(({ focused }) => focused) ??
    windows.find(({ visibilityState }) => visibilityState === 'visible') ??
    windows[0]
  if (!page) return self.clients.openWindow(path)
  page.postMessage({ type: 'dorkos:open', path })
  return page.focus()
}
