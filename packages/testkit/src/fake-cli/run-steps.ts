import { callRepeatedly, flood } from './bench-steps.ts'
import { ask, background, callTool, elicit, hook, say } from './conversation-steps.ts'
import { crash, forkGrandchild, giant, junk, partial } from './fault-steps.ts'
import type { Program } from './program.ts'
import type { CliStep } from './scenario.ts'
import { type FakeTurn, Interrupted, sleep, untilAborted } from './turn.ts'

/** Runs steps one after the other; throws Interrupted when the turn is. */
export async function runSteps(program: Program, turn: FakeTurn, steps: readonly CliStep[]): Promise<void> {
  for (const step of steps) {
    if (turn.signal.aborted) throw new Interrupted()
    await runStep(program, turn, step)
  }
  if (turn.signal.aborted) throw new Interrupted()
}

async function runStep(program: Program, turn: FakeTurn, step: CliStep): Promise<void> {
  switch (step.verb) {
    case 'say':
      return say(program, turn, step)
    case 'tool':
      return step.repeat === undefined
        ? callTool(program, turn, step)
        : callRepeatedly(program, turn, step, step.repeat)
    case 'ask':
      return ask(program, turn, step)
    case 'hook':
      return hook(program, turn, step)
    case 'elicit':
      return elicit(program, turn, step)
    case 'cancel_ask':
      await untilAborted(turn.signal, program.requests.questionOpened())
      return program.requests.withdraw()
    case 'parallel':
      return runBranches(program, turn, step.branches)
    case 'wait':
      return untilAborted(turn.signal, sleep(step.ms))
    case 'emit':
      return program.output.send(step.message)
    case 'sleep_before_result':
      turn.resultDelayMs = step.ms
      return
    case 'result':
      return program.turns.sendResult(turn, step.fields)
    case 'background':
      return background(program, step)
    default:
      return runFault(program, turn, step)
  }
}

type FaultVerb = 'crash' | 'hang' | 'flood' | 'partial' | 'junk' | 'giant' | 'ignore_term' | 'fork_grandchild'
type Fault = Extract<CliStep, { verb: FaultVerb }>

async function runFault(program: Program, turn: FakeTurn, step: Fault): Promise<void> {
  switch (step.verb) {
    case 'crash':
      return crash(program, step)
    case 'hang':
      return program.hang(step.reading ?? false)
    case 'flood':
      return flood(program, turn, step)
    case 'partial':
      return partial(program, step)
    case 'junk':
      return junk(program, step.kind)
    case 'giant':
      return giant(program, step.bytes)
    case 'ignore_term':
      return program.ignoreTerm()
    case 'fork_grandchild':
      return forkGrandchild(program, step)
  }
}

/** All branches end before an interruption of one of them is passed on. */
async function runBranches(program: Program, turn: FakeTurn, branches: CliStep[][]): Promise<void> {
  const ends = await Promise.allSettled(branches.map((branch) => runSteps(program, turn, branch)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
