/** The `sandbox` option, laid over the sandbox block of `settings`. Pure. What either side forbids stays forbidden. */
import { isRecord } from '@dorkos/processes'
import { InvalidOptionsError } from '../errors.ts'
import type { SessionOptions } from '../options.ts'

type Block = Record<string, unknown>

/** Lists that restrict: those of both sides hold. Every other list is replaced. */
const restrictions = new Set([
  'filesystem.denyRead',
  'filesystem.denyWrite',
  'network.deniedDomains',
  'credentials.files',
  'credentials.envVars',
])
const replacedWhole = new Set(['ripgrep', 'network.tlsTerminate'])

/** The value of `--settings`. */
export function withSandbox(
  settings: SessionOptions['settings'],
  sandbox: SessionOptions['sandbox'],
): string | undefined {
  if (!sandbox) return typeof settings === 'object' ? JSON.stringify(settings) : settings
  const inline = typeof settings === 'string' ? parse(settings) : (settings ?? {})
  return JSON.stringify({ ...inline, sandbox: mergeSandbox(blockOf(inline.sandbox), sandbox) })
}

function parse(settings: string): Block {
  const refused =
    'sandbox: pass `settings` as an object or as JSON, or put the sandbox into that settings file'
  if (!settings.trimStart().startsWith('{')) throw new InvalidOptionsError(refused)
  try {
    return blockOf(JSON.parse(settings))
  } catch {
    throw new InvalidOptionsError(`${refused}: this is not valid JSON`)
  }
}

/** A sandbox that was asked for and cannot be had fails the start, unless one side says otherwise. */
function mergeSandbox(below: Block, sandbox: Block): Block {
  const base = structuredClone(below)
  const filesystem = blockOf(base.filesystem)
  const network = blockOf(base.network)
  if (sandbox.filesystem !== undefined || deniesFiles(sandbox)) delete filesystem.disabled
  if (restrictsNetwork(blockOf(sandbox.network))) {
    // What goes through a proxy of one's own is not checked against the lists.
    delete network.httpProxyPort
    delete network.socksProxyPort
  }
  const merged = mergeBlock(base, sandbox, '')
  if (sandbox.enabled === true) merged.failIfUnavailable ??= true
  return merged
}

function mergeBlock(below: Block, above: Block, prefix: string): Block {
  const merged: Block = { ...below }
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue
    const path = prefix + key
    const under = below[key]
    if (restrictions.has(path) && Array.isArray(value) && Array.isArray(under))
      merged[key] = combined(under, value)
    else if (isRecord(value) && isRecord(under) && !replacedWhole.has(path))
      merged[key] = mergeBlock(under, value, `${path}.`)
    else merged[key] = value
  }
  return merged
}

function combined(below: unknown[], above: unknown[]): unknown[] {
  const seen = new Set<string>()
  return [...below, ...above].filter((entry) => {
    const text = JSON.stringify(entry)
    return !seen.has(text) && seen.add(text)
  })
}

function deniesFiles(sandbox: Block): boolean {
  const files = blockOf(sandbox.credentials).files
  return Array.isArray(files) && files.some((file) => blockOf(file).mode === 'deny')
}

function restrictsNetwork(network: Block): boolean {
  const denied = network.deniedDomains
  return (
    network.allowedDomains !== undefined ||
    (Array.isArray(denied) && denied.length > 0) ||
    network.strictAllowlist === true
  )
}

function blockOf(value: unknown): Block {
  return isRecord(value) ? value : {}
}
