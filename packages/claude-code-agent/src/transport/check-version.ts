/** Whether a CLI is new enough (docs/decisions/0002-minimum-cli-version.md). */
import { execFile } from 'node:child_process'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CLIVersionError } from '../errors.ts'
import { isScript } from './find-cli.ts'
import { minimumCliVersion } from './minimum-version.ts'

const answerMs = 3000

/** By path, size and time of change: an updated binary is asked again. */
const known = new Map<string, Promise<string | undefined>>()

/**
 * The version of the CLI at `path`; rejects with `CLIVersionError` when it is older than the minimum. A version that
 * cannot be found out is accepted. Costs one short process start for a binary that no npm package installed,
 * and nothing when it is asked again.
 */
export async function checkCliVersion(
  path: string,
  env: Record<string, string>,
  minimum = minimumCliVersion,
): Promise<string | undefined> {
  const version = await readCliVersion(path, env)
  if (version !== undefined && isOlder(version, minimum)) throw new CLIVersionError(version, minimum, path)
  return version
}

async function readCliVersion(path: string, env: Record<string, string>): Promise<string | undefined> {
  let key: string
  let file: string
  try {
    file = await realpath(path)
    const { size, mtimeMs } = await stat(file)
    key = `${file} ${size} ${mtimeMs}`
  } catch {
    return undefined
  }
  let version = known.get(key)
  if (!version) {
    version = findVersion(file, env)
    known.set(key, version)
  }
  return version
}

async function findVersion(file: string, env: Record<string, string>): Promise<string | undefined> {
  const dir = dirname(file)
  const fromPackage = (await versionFromPackage(dir)) ?? (await versionFromPackage(dirname(dir)))
  // A script that is not the official one knows nothing of versions; starting it could have any effect.
  if (fromPackage !== undefined || isScript(file)) return fromPackage
  return versionFromBinary(file, env)
}

/** The official packages state the version of their binary: the CLI's own by theirs, the SDK's in a field. */
async function versionFromPackage(dir: string): Promise<string | undefined> {
  const manifest = await readManifest(join(dir, 'package.json'))
  const name = manifest?.name
  if (typeof name !== 'string') return undefined
  if (/^@anthropic-ai\/claude-code(-|$)/.test(name)) return parseVersion(manifest?.version)
  if (!name.startsWith('@anthropic-ai/claude-agent-sdk-')) return undefined
  const sdk = await readManifest(join(dir, '..', 'claude-agent-sdk', 'package.json'))
  return sdk?.version === manifest?.version ? parseVersion(sdk?.claudeCodeVersion) : undefined
}

async function readManifest(file: string): Promise<Record<string, unknown> | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  } catch {
    return undefined
  }
}

function versionFromBinary(path: string, env: Record<string, string>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env, timeout: answerMs, killSignal: 'SIGKILL' as const, maxBuffer: 64 * 1024 }
    const child = execFile(path, ['--version'], options, (error, stdout) => {
      resolve(error ? undefined : parseVersion(stdout))
    })
    child.stdin?.end()
  })
}

/** `2.1.325 (Claude Code)` and the like. */
function parseVersion(text: unknown): string | undefined {
  return typeof text === 'string' ? /^\s*v?(\d+\.\d+\.\d+)/.exec(text)?.[1] : undefined
}

function isOlder(version: string, minimum: string): boolean {
  const [have, need] = [version.split('.').map(Number), minimum.split('.').map(Number)]
  for (let index = 0; index < need.length; index++) {
    const difference = (have[index] ?? 0) - (need[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
