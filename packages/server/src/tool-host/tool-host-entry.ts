/** How the supervisor starts a tool host. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ServerEntry } from '@dorkos/mcp-gateway'

export interface ToolHostEntryOptions {
  /** Of the owner's own folder, and of a workspace's. */
  name: 'tools' | 'workspace-tools'
  /** Absolute. It must be there: the host runs in it. */
  folder: string
  /** The server's own environment: what is passed on is picked from it. */
  env: Readonly<Record<string, string | undefined>>
  /** Names of variables that the owner lets tools see. */
  allowed?: readonly string[]
  /** Names of files: no other module is loaded. */
  only?: readonly string[]
  /** Absolute: a JSON file of SHA-256 in hex by real path. Nothing else is loaded then. */
  digests?: string
  /** Other machines write into the folder, too. */
  isShared?: boolean
}

const inherited = ['PATH', 'HOME', 'LANG', 'TMPDIR']
/** They would load code into the host itself, or are this server's own. */
const refused = /^(?:NODE_|LD_|DYLD_|DORKOS_)/
/** Tools have limits of their own, a minute unless they say otherwise; this one is for those that say so. */
const timeoutMs = 600_000

export function toolHostEntry(options: ToolHostEntryOptions): ServerEntry {
  const { name, folder, only = [], digests, isShared = false } = options
  const args = [toolHostProgram(), `--folder=${folder}`, `--name=${name}`]
  for (const file of only) args.push(`--only=${file}`)
  if (digests !== undefined) args.push(`--digests=${digests}`)
  if (isShared) args.push('--shared')
  return {
    name,
    launch: { type: 'stdio', command: process.execPath, args, env: environment(options), cwd: folder },
    sharing: 'shared',
    timeoutMs,
  }
}

function environment({ env, allowed = [] }: ToolHostEntryOptions): Record<string, string> {
  const names = [...inherited, ...allowed.filter((name) => !refused.test(name))]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Node 20 runs no TypeScript: from the sources (in tests) the compiled program is used. */
function toolHostProgram(): string {
  const here = import.meta.url
  if (!here.endsWith('.ts')) return fileURLToPath(new URL('./main.js', here))
  const path = fileURLToPath(new URL('../../dist/tool-host/main.js', here))
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` first`)
  return path
}
