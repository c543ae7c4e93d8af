/** Versions of the CLI from the npm registry: each is the binary of a platform's package, and is kept once it was fetched. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { versionOf } from './run-cases.ts'

const run = promisify(execFile)

/** Beside other tools' caches; it is safe to remove. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/dorkos-contract', import.meta.url))

/** Where the binary of this version is, such as 2.1.284: version 2.1.N is in the packages 0.3.N. */
export async function fetchCli(version: string): Promise<string> {
  const patch = /^2\.1\.(\d+)$/.exec(version)?.[1]
  if (patch === undefined) throw new Error(`${version} is no version that can be fetched: 2.1.N is`)
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude'
  const path = join(cache, version, 'package', name)
  if (!existsSync(path)) await fetchPackage(`${platformPackage()}@0.3.${patch}`, join(cache, version))
  const found = await versionOf(path)
  if (found !== version) throw new Error(`${path} is ${found}, not ${version}`)
  return path
}

/** Moved to its place when it is whole: a download that broke off leaves nothing that looks like one. */
async function fetchPackage(name: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const unpacked = await mkdtemp(join(cache, 'fetching-'))
  try {
    const { stdout } = await run('npm', ['pack', name, '--silent', '--pack-destination', unpacked])
    await run('tar', ['-xzf', join(unpacked, stdout.trim()), '-C', unpacked])
    await rm(join(unpacked, stdout.trim()))
    await rm(folder, { recursive: true, force: true })
    await rename(unpacked, folder)
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

function platformPackage(): string {
  const base = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`
  const header = (process.report.getReport() as { header?: { glibcVersionRuntime?: string } }).header
  const isMusl = process.platform === 'linux' && header?.glibcVersionRuntime === undefined
  return isMusl ? `${base}-musl` : base
}
