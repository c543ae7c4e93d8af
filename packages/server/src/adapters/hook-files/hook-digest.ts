/** What a consent to a hook is bound to: where the hook stands, all that its entry says, and what the files hold that it names. */

import { realpath } from 'node:fs/promises'
import { canonicalJson } from '@dorkos/mcp-gateway'
import { isRecord } from '@dorkos/shared'
import type { ReadHook } from '../../core/hooks/settings-hooks.ts'
import type { FoundHook } from '../../core/ports/hook-files.ts'
import type { Seal } from '../../core/trust/covered-item.ts'
import { findNamedFiles } from '../trust-files/named-files.ts'
import { readBytes } from '../trust-files/read-bytes.ts'

interface DigestOptions {
  seal: Seal
  /** Files below these are part of the hook; a program of the machine is not. The first is where it comes from, the last where it runs. */
  roots: readonly string[]
  ownerHome: string
  closedFolders: readonly string[]
  /** The digest of the plugin that brings it. */
  plugin: string | undefined
}

const MAX_SCRIPT = 4 * 1024 * 1024
/** Of all that an entry says. Nobody reads more before a consent. */
const MAX_TEXT = 8000

export async function digestOfHook(
  { hook, matcher, config }: ReadHook,
  { seal, roots, ownerHome, closedFolders, plugin }: DigestOptions,
): Promise<Pick<FoundHook, 'digest' | 'scripts' | 'fault'>> {
  const { source, event, plugin: id, file } = hook
  const where = [source, id ?? '', plugin ?? '', file ?? '', event, matcher]
  const texts = textsOf(config)
  if (texts.reduce((length, text) => length + text.length, 0) > MAX_TEXT)
    return { digest: seal(canonicalJson(where)), scripts: [], fault: 'It is too long to be looked through.' }
  try {
    const found = new Set<string>()
    for (const root of new Set(roots)) {
      const options = { root, ownerHome, closed: closedFolders }
      const command = { texts: texts.map((text) => withoutTargets(pluginRoot(text, roots[0] ?? root))) }
      const named = await findNamedFiles([command], options)
      if (named.tooMany) throw new Error('too many words')
      for (const script of named.scripts) found.add(await realpath(script))
      for (const { real } of named.links) found.add(real)
    }
    const scripts = [...found].toSorted()
    const contents = await Promise.all(scripts.map((script) => readBytes(script, MAX_SCRIPT)))
    return { digest: seal(canonicalJson([...where, config, scripts]), ...contents), scripts }
  } catch {
    return { digest: seal(canonicalJson(where)), scripts: [], fault: 'What it would run cannot be read.' }
  }
}

const pluginRoot = (text: string, root: string) => text.replace(/\$\{?CLAUDE_PLUGIN_ROOT\}?/g, () => root)

/**
 * A command without the words that its output is redirected to: what it writes is not what it runs, and a log would take the consent away with
 * its first line. Only a plain redirection counts as one; in doubt a word stays.
 */
export function withoutTargets(text: string): string {
  let kept = ''
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '>' && /[\s\d&]$|^$/.test(kept.slice(-1))) {
      const target = /^>{1,2}[ \t]*(?:[\w./~+@%,:-]|\$\w+|\$\{\w+\})+(?=[\s;&|]|$)/.exec(
        text.slice(at, at + 1000),
      )
      if (target) {
        at += target[0].length - 1
        kept += ' '
        continue
      }
    }
    kept += char
  }
  return kept
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : []
}
