/**
 * The scripts that the page starts by their address: the service worker, and the highlighter beside the page. Such an address is a guarded
 * value under the page's policy; the one policy that the page may make (`dorkos`) allows these and nothing else.
 */
import highlighter from '../render/highlight-worker.ts?worker&url'

export const scripts = { serviceWorker: '/sw.js', highlighter }

interface ScriptPolicy {
  createScriptURL(url: string): unknown
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy
}

let policy: ScriptPolicy | undefined

export function allowedScript(url: string): string {
  if (!Object.values(scripts).includes(url)) throw new TypeError('This script is not one of the page.')
  return url
}

/** Browsers take the guarded value where the types of TypeScript know only text. */
export function trustedScript(url: string): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
  if (!factory) return allowedScript(url)
  policy ??= factory.createPolicy('dorkos', { createScriptURL: allowedScript })
  return policy.createScriptURL(url) as string
}
