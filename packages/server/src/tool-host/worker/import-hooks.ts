/** Runs beside a module's thread, and finds and reads what the module imports. */
import type { InitializeHook, LoadHook, LoadHookContext, ResolveHook } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerSetup } from '../worker-messages.ts'
import { approvedBytes, isInsideAny } from './approved-bytes.ts'

let setup: WorkerSetup

export const initialize: InitializeHook<WorkerSetup> = (data) => {
  setup = data
}

/** `claude-code-agent` and `zod` are ours, although the folder has none. A package's own imports come first from where it lies. */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  if (!/^(?:claude-code-agent|zod)(?:\/|$)/.test(specifier)) return nextResolve(specifier, context)
  const ours = { ...context, parentURL: setup.parentUrl }
  if (!context.parentURL?.includes('/node_modules/')) return nextResolve(specifier, ours)
  try {
    return await nextResolve(specifier, context)
  } catch {
    return nextResolve(specifier, ours)
  }
}

export const load: LoadHook = async (url, context, nextLoad) => {
  if (url.startsWith('node:')) return nextLoad(url, context)
  const path = url.startsWith('file:') ? fileURLToPath(url) : undefined
  if (path !== undefined && isInsideAny(path, setup.ownFolders)) return nextLoad(url, context)
  const format = path === undefined ? context.format : formatOf(path, context.format)
  if (setup.approved === undefined) return nextLoad(url, { ...context, format })
  if (path === undefined) throw new Error(`${url.slice(0, 100)} was not approved, so it is not loaded`)
  return { format: format ?? 'module', source: approvedBytes(path, setup.approved), shortCircuit: true }
}

/** In the folder `.js` is an ES module, as `.mjs` is, whatever a package.json says; CommonJS is `.cjs`. */
function formatOf(path: string, format: LoadHookContext['format']): LoadHookContext['format'] {
  const isOwn = isInsideAny(path, [setup.folder]) && !path.includes('/node_modules/')
  return isOwn && extname(path) === '.js' ? 'module' : format
}
