/** Where the Claude Code binary is. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { CLINotFoundError } from '../errors.ts'

export interface FindCliOptions {
  /** A path, or the bare name of a program on PATH. Nothing else is tried when it is given. */
  cliPath?: string | undefined
  env: Record<string, string | undefined>
}

export interface FoundCli {
  path: string
  source: 'option' | 'environment' | 'path' | 'package'
}

const officialSdk = '@anthropic-ai/claude-agent-sdk'
const officialCli = '@anthropic-ai/claude-code'
const isWindows = process.platform === 'win32'
const binaryName = isWindows ? 'claude.exe' : 'claude'

/**
 * By option, then by the variable CLAUDE_CODE_PATH, then on PATH, then the binary that the official npm packages
 * install. Throws `CLINotFoundError` with every place that was searched.
 */
export function findCli(options: FindCliOptions): FoundCli {
  if (options.cliPath) return { path: findNamed(options.cliPath, options.env), source: 'option' }
  const fromEnvironment = options.env.CLAUDE_CODE_PATH
  if (fromEnvironment) return { path: findNamed(fromEnvironment, options.env), source: 'environment' }
  const searched: string[] = []
  const onPath = findFirst(candidatesOnPath(binaryName, options.env), searched)
  if (onPath) return { path: onPath, source: 'path' }
  const inPackage = findInPackages(searched)
  if (inPackage) return { path: inPackage, source: 'package' }
  throw new CLINotFoundError(binaryName, searched)
}

/** How to start what is at `path`: a script is run by `executable`, this Node by default. */
export function cliCommand(path: string, executable?: string): { command: string; args: string[] } {
  if (!isScript(path)) return { command: path, args: [] }
  return { command: executable ?? process.execPath, args: [path] }
}

export function isScript(path: string): boolean {
  return ['.js', '.mjs', '.cjs', '.ts', '.mts'].includes(extname(path))
}

function findNamed(given: string, env: FindCliOptions['env']): string {
  const isBareName = !/[/\\]/.test(given) && !isScript(given)
  const searched: string[] = []
  const found = findFirst(isBareName ? candidatesOnPath(given, env) : [resolve(given)], searched)
  if (found) return found
  if (isBareName) throw new CLINotFoundError(given, searched)
  throw new CLINotFoundError(`${given} (${whyUnusable(resolve(given)) ?? 'unusable'})`, [resolve(given)])
}

/** Relative entries of PATH are passed over: the directory an agent works in must not decide what is run. */
function candidatesOnPath(name: string, env: FindCliOptions['env']): string[] {
  const path = env.PATH ?? (isWindows ? env.Path : undefined) ?? ''
  const dirs = path.split(delimiter).filter((dir) => isAbsolute(dir))
  return dirs.map((dir) => join(dir, isWindows && extname(name) === '' ? `${name}.exe` : name))
}

function findFirst(candidates: Iterable<string>, searched: string[]): string | undefined {
  for (const candidate of candidates) {
    if (searched.includes(candidate)) continue
    if (whyUnusable(candidate) === undefined) return candidate
    searched.push(candidate)
  }
  return undefined
}

/** What is wrong with a path as a program; nothing if it can be run. */
function whyUnusable(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return 'not a file'
  } catch {
    return 'no such file'
  }
  try {
    accessSync(path, isScript(path) ? constants.R_OK : constants.X_OK)
  } catch {
    return isScript(path) ? 'not readable' : 'not executable'
  }
  return undefined
}

/**
 * The binaries are in packages per platform, which package managers put in different places: they are looked for
 * from here, from the program's directory, and from the official packages that depend on them.
 */
function findInPackages(searched: string[]): string | undefined {
  const bases = [import.meta.url, join(process.cwd(), 'package.json')]
  for (const base of [...bases]) {
    for (const owner of [officialSdk, `${officialCli}/package.json`]) {
      const ownerPath = resolveFrom(base, owner)
      if (ownerPath) bases.push(ownerPath)
    }
  }
  for (const base of bases) {
    for (const name of platformPackages()) {
      const manifest = resolveFrom(base, `${name}/package.json`)
      const found = manifest && findFirst([join(dirname(manifest), binaryName)], searched)
      if (found) return found
    }
    // Up to version 2.1.112 the package was one script for every platform.
    const manifest = resolveFrom(base, `${officialCli}/package.json`)
    const script = manifest && findFirst([join(dirname(manifest), 'cli.js')], searched)
    if (script) return script
  }
  searched.push(`npm package ${platformPackages()[0]}`)
  return undefined
}

function platformPackages(): string[] {
  const target = `${process.platform}-${process.arch}`
  const targets = process.platform !== 'linux' ? [target] : [target, `${target}-musl`]
  if (isMusl()) targets.reverse()
  return [officialSdk, officialCli].flatMap((name) => targets.map((each) => `${name}-${each}`))
}

/** Both may be installed; only the one for this machine's C library runs. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  const glibc = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1']
  return !glibc.some((loader) => existsSync(loader)) && existsSync('/etc/alpine-release')
}

function resolveFrom(base: string, specifier: string): string | undefined {
  try {
    return createRequire(base).resolve(specifier)
  } catch {
    return undefined
  }
}
