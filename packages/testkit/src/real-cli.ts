import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Where the real Claude Code CLI is: `CLAUDE_CODE_PATH` if set, else the binary that the npm package
 * `@anthropic-ai/claude-agent-sdk` brings for this platform. Throws where there is none.
 */
export function realCliPath(): string {
  const named = process.env.CLAUDE_CODE_PATH
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return named
    throw new Error(`CLAUDE_CODE_PATH names ${named}, which does not exist`)
  }
  for (const packageName of binaryPackages()) {
    const path = findBinary(packageName)
    if (path !== undefined) return path
  }
  throw new Error(
    `No Claude Code CLI found for ${process.platform}-${process.arch}: ` +
      'install @anthropic-ai/claude-agent-sdk with its optional dependencies, or set CLAUDE_CODE_PATH',
  )
}

/** On Linux both builds may be there; the one for glibc is tried first, except on a musl system. */
function binaryPackages(): string[] {
  const base = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`
  if (process.platform !== 'linux') return [base]
  const header = (process.report.getReport() as { header?: { glibcVersionRuntime?: string } }).header
  const musl = `${base}-musl`
  return header?.glibcVersionRuntime === undefined ? [musl, base] : [base, musl]
}

/** Looked for from here, from the program's own folder, and beside the package that depends on the binary. */
function findBinary(packageName: string): string | undefined {
  const file = process.platform === 'win32' ? 'claude.exe' : 'claude'
  for (const start of searchStarts()) {
    try {
      const path = join(dirname(createRequire(start).resolve(`${packageName}/package.json`)), file)
      if (existsSync(path)) return path
    } catch {
      // Not installed where this start looks.
    }
  }
  return undefined
}

function searchStarts(): string[] {
  const starts = [import.meta.url, join(process.cwd(), 'package.json')]
  for (const start of [...starts]) {
    try {
      starts.push(createRequire(start).resolve('@anthropic-ai/claude-agent-sdk'))
    } catch {
      // The binary's package may still be there on its own.
    }
  }
  return starts
}
