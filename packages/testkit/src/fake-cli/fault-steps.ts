import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { assistantMessage } from './messages.ts'
import type { Program } from './program.ts'
import type { CrashStep, ForkGrandchildStep, JunkKind, PartialStep } from './scenario.ts'

export async function crash(program: Program, step: CrashStep): Promise<void> {
  if (step.stderr !== undefined) {
    await new Promise((resolve) => process.stderr.write(`${step.stderr}\n`, resolve))
  }
  if (step.signal === undefined) return program.exit(step.code ?? 1)
  await program.output.flushed(2000)
  program.log.write({ type: 'note', text: `ends itself with ${step.signal}` })
  process.removeAllListeners(step.signal)
  process.kill(process.pid, step.signal)
  await program.hang(false)
}

function textLine(program: Program, text: string): Buffer {
  const block = { type: 'text', text }
  const message = assistantMessage(program.facts, program.turns.nextMessageId(), block)
  return Buffer.from(`${JSON.stringify(message)}\n`)
}

export async function partial(program: Program, step: PartialStep): Promise<void> {
  const line = textLine(program, step.text)
  const at = step.at ?? Math.floor(line.length / 2)
  program.output.openLine(line.subarray(0, at))
  if (step.exitCode !== undefined) return program.exit(step.exitCode)
  await delay(step.ms ?? 20)
  program.output.closeLine(line.subarray(at))
}

const invalidUtf8 = Buffer.concat([
  Buffer.from('{"type":"junk","text":"'),
  Buffer.from([0xc3, 0x28, 0xff]),
  Buffer.from('"}\n'),
])

export function junk(program: Program, kind: JunkKind): Promise<void> {
  return program.output.bytes(junkBytes(program, kind))
}

function junkBytes(program: Program, kind: JunkKind): Buffer {
  const valid = JSON.stringify({ type: 'junk', session_id: program.facts.sessionId })
  switch (kind) {
    case 'text':
      return Buffer.from('warning: this line is not JSON\n')
    case 'truncated_json':
      return Buffer.from('{"type":"assistant","message":{"role":\n')
    case 'invalid_utf8':
      return invalidUtf8
    case 'not_object':
      return Buffer.from('42\nnull\ntrue\n"text"\n[1,2]\n')
    case 'blank':
      return Buffer.from('\n   \n\t\n\n')
    case 'unknown_type':
      return Buffer.from(`${valid}\n`)
    case 'no_type':
      return Buffer.from('{"session_id":"x"}\n')
    case 'unknown_response':
      return Buffer.from(
        '{"type":"control_response","response":{"subtype":"success","request_id":"nobody","response":{}}}\n',
      )
    case 'crlf':
      return Buffer.from(`${valid}\r\n`)
    case 'bom':
      return Buffer.from(`\uFEFF${valid}\n`)
  }
}

export function giant(program: Program, bytes: number): Promise<void> {
  const bare = textLine(program, '')
  const gap = bare.indexOf('"text":""') + '"text":"'.length
  const filler = Buffer.alloc(Math.max(0, bytes - (bare.length - 1)), 'x')
  return program.output.bytes(Buffer.concat([bare.subarray(0, gap), filler, bare.subarray(gap)]))
}

// Ends by itself when the fake CLI's folder is gone or after ten minutes: a failed test leaves nothing behind.
const grandchildProgram = `
const [folder, ignoreTerm] = process.argv.slice(1)
if (ignoreTerm === 'true') process.on('SIGTERM', () => {})
setInterval(() => require('node:fs').existsSync(folder) || process.exit(0), 250)
setTimeout(() => process.exit(0), 600000)
`

export function forkGrandchild(program: Program, step: ForkGrandchildStep): void {
  const args = ['-e', grandchildProgram, program.folder, String(step.ignoreTerm ?? false)]
  const stdout = step.holdStdout ? 'inherit' : 'ignore'
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'ignore'] })
  child.unref()
  program.log.write({ type: 'grandchild', grandchildPid: child.pid ?? -1 })
}
