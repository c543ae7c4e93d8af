/** `dorkos doctor`: what works here, what does not, and what to do about it. */
import type { Diagnosis } from '@dorkos/server'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { oneLine, safeJson } from '../terminal/escape.ts'
import { type Style, styleOf } from '../terminal/style.ts'
import { version } from '../version.ts'

export interface DoctorFlags {
  json?: boolean
}

export async function doctor(context: CliContext, flags: DoctorFlags): Promise<ExitCode> {
  const { diagnose } = await import('@dorkos/server')
  const found: Diagnosis[] = [
    { check: 'dorkos', state: 'ok', detail: `version ${version}` },
    ...(await diagnose(context.env, { cwd: context.cwd })),
  ]
  const { stdout, env } = context
  if (flags.json) stdout.write(`${safeJson(found)}\n`)
  else stdout.write(renderDiagnosis(found, styleOf(stdout, env)))
  return found.some(({ state }) => state === 'fault') ? exitCodes.failed : exitCodes.completed
}

export function renderDiagnosis(found: readonly Diagnosis[], style: Style): string {
  const width = Math.max(...found.map(({ check }) => check.length), 0)
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), fault: style.red('✗') }
  return found
    .map(({ check, state, detail, fix }) => {
      const indent = ' '.repeat(width + 4)
      const lines = detail.split('\n').map((line) => oneLine(line))
      const help = fix === undefined ? [] : [style.cyan(`→ ${oneLine(fix)}`)]
      const [first = '', ...rest] = [...lines, ...help]
      return [`${marks[state]} ${check.padEnd(width)}  ${first}`, ...rest.map((line) => indent + line)].join(
        '\n',
      )
    })
    .join('\n')
    .concat('\n')
}
