/** Puts the parts of a fake CLI together, whether it is a process of its own or runs in the caller's. */
import type { Writable } from 'node:stream'
import { createControlAnswers } from './control-answers.ts'
import { createHostRequests } from './host-requests.ts'
import type { Launch } from './launch.ts'
import type { Log } from './log.ts'
import { McpServers } from './mcp-servers.ts'
import type { OpenTasks } from './open-tasks.ts'
import { createOutput, type Output } from './output.ts'
import type { Program } from './program.ts'
import { runSteps } from './run-steps.ts'
import type { JsonObject, ProgramConfig } from './scenario.ts'
import type { Transcript } from './transcript.ts'
import { Turns } from './turns.ts'

export interface ProgramSetup {
  folder: string
  config: ProgramConfig
  log: Log
  launch: Launch
  openTasks: OpenTasks
  transcript: Transcript
  stdout: Writable
  stopReading(): void
  ignoreTerm(): void
  /** Does not return where the program is a process. */
  end(code: number): void
}

/** What comes from the host. */
export interface Accept {
  frame(frame: JsonObject): void
  /** Nothing more comes. */
  end(): void
}

export function createProgram(setup: ProgramSetup): { program: Program; accept: Accept } {
  const { config, launch, log } = setup
  const { sessionId, model, permissionMode } = launch
  const output = createOutput(setup.stdout)
  const requests = createHostRequests(output)
  const servers = new McpServers(requests, config.version)
  let hung = false
  const program: Program = {
    folder: setup.folder,
    scenario: config.scenario,
    launch,
    facts: { sessionId, model, permissionMode, version: config.version },
    output,
    log,
    requests,
    servers,
    openTasks: setup.openTasks,
    transcript: setup.transcript,
    hooks: {},
    get turns() {
      return turns
    },
    hang: (reading) => {
      hung = true
      if (!reading) setup.stopReading()
      return hang(output)
    },
    ignoreTerm: setup.ignoreTerm,
    exit: (code) => exit(setup, output, code),
  }
  const turns = new Turns(program, runSteps)
  servers.configure(launch.mcpServers)
  const answer = createControlAnswers(program)
  const accept: Accept = {
    frame: (frame) => {
      if (hung) return
      if (frame.type === 'control_response') requests.settle((frame.response ?? {}) as JsonObject)
      else if (frame.type === 'control_request') answer(frame)
      else if (frame.type === 'user') turns.add(frame)
    },
    end: () => {
      if (hung) return
      requests.close()
      turns.end()
    },
  }
  return { program, accept }
}

function hang(output: Output): Promise<never> {
  output.silence()
  setInterval(() => undefined, 60_000)
  return new Promise(() => undefined)
}

async function exit({ log, end }: ProgramSetup, output: Output, code: number): Promise<never> {
  await output.flushed(2000)
  log.write({ type: 'exit', code })
  end(code)
  return new Promise(() => undefined)
}
