/**
 * Registers the service worker: the shell opens without a network, and notifications work on phones. The address of a script is a
 * guarded value under the page's policy; the one policy that it may make allows this file and nothing else.
 */
const script = '/sw.js'

interface ScriptPolicy {
  createScriptURL(url: string): unknown
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy
}

export function allowedScript(url: string): string {
  if (url !== script) throw new TypeError('This script is not one of the page.')
  return url
}

export function registerServiceWorker(): void {
  // Only in secure contexts: https, and localhost.
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const url = trustedUrl()
  addEventListener('load', () => void navigator.serviceWorker.register(url).catch(() => undefined))
}

function trustedUrl(): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
  if (!factory) return allowedScript(script)
  // Browsers take the guarded value where the types of TypeScript know only text.
  return factory.createPolicy('dorkos', { createScriptURL: allowedScript }).createScriptURL(script) as string
}
