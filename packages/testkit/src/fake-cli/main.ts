/** The fake CLI: reads the host's lines, answers requests, runs the scenario. Started by the launcher. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Accept, createProgram } from './create-program.ts'
import { readLines } from './input.ts'
import { readLaunch } from './launch.ts'
import { type Log, openLog } from './log.ts'
import { openTasksIn } from './open-tasks.ts'
import type { Program } from './program.ts'
import { runSteps } from './run-steps.ts'
import type { JsonObject, ProgramConfig } from './scenario.ts'
import { noTranscript, openTranscript } from './transcript.ts'
import { newTurn } from './turn.ts'

const longestLifeMs = 30 * 60 * 1000

/** Runs until the host is done or the scenario ends it. `folder` holds the scenario and the log. */
export async function main(folder: string): Promise<void> {
  const config = JSON.parse(readFileSync(join(folder, 'scenario.json'), 'utf8')) as ProgramConfig
  const log = openLog(join(folder, 'log.jsonl'), config.logStdin)
  const argv = process.argv.slice(2)
  if (argv.includes('--version') || argv.includes('-v')) {
    log.write({ type: 'version' })
    process.stdout.write(`${config.version} (Claude Code)\n`)
    return
  }
  const env = { ...process.env }
  log.write({ type: 'spawn', argv, env, cwd: process.cwd(), ppid: process.ppid })
  endWithFolder(folder)
  let termIgnored = false
  process.on('SIGTERM', () => {
    log.write({ type: 'signal', signal: 'SIGTERM' })
    // The real CLI turns SIGTERM into this exit code.
    if (!termIgnored) process.exit(143)
  })
  const launch = readLaunch(argv, env)
  const { program, accept } = createProgram({
    folder,
    config,
    log,
    launch,
    openTasks: openTasksIn(folder, launch.sessionId),
    transcript: config.scenario.hasTranscript ? openTranscript(launch.sessionId, env) : noTranscript,
    stdout: process.stdout,
    stopReading: () => process.stdin.pause(),
    ignoreTerm: () => {
      termIgnored = true
    },
    end: (code) => process.exit(code),
  })
  const start = config.scenario.start ?? []
  await runSteps(program, newTurn(new AbortController().signal), start)
  serve(program, accept)
}

/** A forgotten process ends with its folder, or after half an hour. */
function endWithFolder(folder: string): void {
  setInterval(() => existsSync(folder) || process.exit(0), 250).unref()
  setTimeout(() => process.exit(0), longestLifeMs).unref()
}

function serve({ log }: Program, accept: Accept): void {
  readLines(
    process.stdin,
    (lines) => {
      const read = lines.filter((line) => line.trim() !== '')
      const frames = read.map(parse)
      const bad = frames.indexOf(undefined)
      const good = bad < 0 ? read : read.slice(0, bad)
      log.stdin(good)
      for (const frame of frames.slice(0, good.length)) if (frame !== undefined) accept.frame(frame)
      if (bad >= 0) refuse(log, read[bad] ?? '')
    },
    () => {
      log.write({ type: 'stdin_end' })
      accept.end()
    },
  )
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

/** A malformed line is fatal, as with the real CLI. */
function refuse(log: Log, line: string): never {
  log.write({ type: 'stdin_malformed', line: line.slice(0, 1000) })
  const text = `Error parsing streaming input line (type=unknown, ${line.length} chars): SyntaxError\n`
  process.stderr.write(text)
  process.exit(1)
}
