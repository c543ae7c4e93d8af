/** What a consent to a hook is bound to: where the hook stands, all that its entry says, and what the files hold that it names. */
import { realpath } from 'node:fs/promises'
import { isRecord } from '../../core/event-map/untrusted.ts'
import type { ReadHook } from '../../core/hooks/settings-hooks.ts'
import { canonicalJson } from '../../core/permissions/canonical-json.ts'
import type { FoundHook } from '../../core/ports/hook-files.ts'
import type { Seal } from '../../core/trust/covered-item.ts'
import { findNamedFiles } from '../trust-files/named-files.ts'
import { readBytes } from '../trust-files/read-bytes.ts'

interface DigestPlace {
  seal: Seal
  /** Files below it are part of the hook; a program of the machine is not. */
  root: string
  ownerHome: string
  stateFolder: string
  /** The digest of the plugin that brings it. */
  plugin: string | undefined
}

const MAX_SCRIPT = 4 * 1024 * 1024

export async function digestOfHook(
  { hook, matcher, config }: ReadHook,
  { seal, root, ownerHome, stateFolder, plugin }: DigestPlace,
): Promise<Pick<FoundHook, 'digest' | 'scripts' | 'fault'>> {
  const { source, event, plugin: id } = hook
  try {
    const place = { root, ownerHome, closed: [stateFolder] }
    const named = await findNamedFiles(
      [{ texts: textsOf(config).map((text) => withoutTargets(pluginRoot(text, root))) }],
      place,
    )
    const scripts = await Promise.all(named.scripts.map((script) => realpath(script)))
    const contents = await Promise.all(scripts.map((script) => readBytes(script, MAX_SCRIPT)))
    const entry = canonicalJson([source, id ?? '', plugin ?? '', event, matcher, config, scripts])
    const fault = named.tooMany ? { fault: 'Its command is too long to be looked through.' } : {}
    return { digest: seal(entry, ...contents), scripts, ...fault }
  } catch {
    const digest = seal(JSON.stringify([source, id ?? '', event, matcher]))
    return { digest, scripts: [], fault: 'What it would run cannot be read.' }
  }
}

/** What it writes to is not what it runs: a log would take the consent away with its first line. */
const withoutTargets = (text: string) =>
  text.replace(
    /\d*>{1,2}\s*(?:"[^"]*"|'[^']*'|[^\s;&|<>]+)|\btee(?:\s+-\S+)*\s+(?:"[^"]*"|'[^']*'|[^\s;&|<>]+)/g,
    ' ',
  )

const pluginRoot = (text: string, root: string) => text.replace(/\$\{?CLAUDE_PLUGIN_ROOT\}?/g, () => root)

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : []
}
