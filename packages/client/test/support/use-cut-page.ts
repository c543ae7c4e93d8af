import { afterAll, afterEach, beforeEach } from 'vitest'
import { startCuttingProxy } from './cutting-proxy.ts'
import { usePage } from './open-page.ts'

/** The page behind a proxy that can cut the line. It is open again after each test. */
export async function useCutPage() {
  const proxy = await startCuttingProxy()
  const used = usePage({
    origin: proxy.origin,
    config: { publicOrigins: [proxy.origin] },
    browser: { serviceWorkers: 'allow' },
  })
  beforeEach(() => {
    proxy.target = Number(new URL(used.host.server.url).port)
  })
  afterEach(() => {
    proxy.mode = 'open'
  })
  afterAll(() => proxy.close())
  return { proxy, used }
}
