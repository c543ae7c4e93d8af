import type { TrustItem } from '@dorkos/shared'

const byEnding: Readonly<Record<string, string>> = {
  json: 'json',
  jsonc: 'jsonc',
  md: 'markdown',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  sh: 'bash',
  bash: 'bash',
  py: 'python',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'toml',
}

/** What the text of a covered file is written in, by its ending; a server's entry is JSON. */
export function languageOf({ kind, path }: Pick<TrustItem, 'kind' | 'path'>): string | undefined {
  if (kind === 'server') return 'json'
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined
}
