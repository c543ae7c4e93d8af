/**
 * A page for each file of the page's tests, though files share a worker: its modules keep what a tab keeps, and document and storage are a
 * tab's. Only what comes from other packages stays loaded.
 */
import { afterAll, vi } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'

vi.resetModules()
const { teardown } = await builtinEnvironments['happy-dom'].setup(globalThis, {})
afterAll(() => teardown(globalThis))
