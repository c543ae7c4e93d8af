import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { LogEntry } from './fake-cli/log.ts'
import type { CliStep, ProgramConfig, Scenario } from './fake-cli/scenario.ts'

export interface FakeCliOptions {
  /** What `--version` prints and `initialize` reports: 2.1.325 by default. */
  version?: string
  /** Whether stdin is kept in the log; off, it costs a benchmark nothing. On by default. */
  logStdin?: boolean
}

/** A program that behaves like the Claude Code CLI as far as its scenario says. */
export interface FakeCli extends AsyncDisposable {
  /** The executable, named `claude`, alone in its folder but for what it needs. */
  readonly path: string
  /** Makes a program that looks for the CLI by environment find this one. */
  readonly env: Record<string, string>
  /** Where its processes note what they do, a line of JSON for each `LogEntry`. */
  readonly logFile: string
  /** All that its processes noted so far: arguments, environment, every line of stdin, signals, ends. */
  log(): Promise<LogEntry[]>
  /** Removes it; processes of it that still run end within a second. */
  dispose(): Promise<void>
}

const realVersion = '2.1.325'

/** Writes a fake CLI to a temporary folder. A list of steps is a scenario that runs it for every message. */
export function fakeCli(scenario: Scenario | readonly CliStep[], options: FakeCliOptions = {}): FakeCli {
  const folder = mkdtempSync(join(tmpdir(), 'fake-cli-'))
  const config: ProgramConfig = {
    scenario: isSteps(scenario) ? { turns: [[...scenario]] } : scenario,
    version: options.version ?? realVersion,
    logStdin: options.logStdin ?? true,
  }
  const path = join(folder, 'claude')
  const logFile = join(folder, 'log.jsonl')
  writeFileSync(join(folder, 'scenario.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n')
  writeFileSync(path, launcher(programFile()), { mode: 0o755 })
  // A process that starts just now may put its log into the folder while it is being emptied.
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  return {
    path,
    logFile,
    env: { CLAUDE_CODE_PATH: path },
    log: () => readLog(logFile),
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

function isSteps(scenario: Scenario | readonly CliStep[]): scenario is readonly CliStep[] {
  return Array.isArray(scenario)
}

/** The compiled program, whether this module runs compiled or from source. */
function programFile(): string {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const beside = join(here, 'fake-cli', 'main.js')
  const file = existsSync(beside) ? beside : join(here, '..', 'dist', 'fake-cli', 'main.js')
  if (!existsSync(file)) throw new Error(`the fake CLI is not built: ${file} is missing (run \`tsc -b\`)`)
  return file
}

/** A CommonJS file without extension: it can be called `claude`, and found through PATH. */
function launcher(program: string): string {
  const interpreter = process.execPath.includes(' ') ? '/usr/bin/env node' : process.execPath
  const url = JSON.stringify(pathToFileURL(program).href)
  return `#!${interpreter}\nimport(${url}).then((program) => program.main(__dirname))\n`
}

async function readLog(file: string): Promise<LogEntry[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  // A process that is writing now, or was killed while it wrote, leaves an unfinished last line.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LogEntry]))
}
