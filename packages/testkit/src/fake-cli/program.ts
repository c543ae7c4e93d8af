import type { HostRequests } from './host-requests.ts'
import type { Launch } from './launch.ts'
import type { Log } from './log.ts'
import type { McpServers } from './mcp-servers.ts'
import type { SessionFacts } from './messages.ts'
import type { OpenTasks } from './open-tasks.ts'
import type { Output } from './output.ts'
import type { JsonObject, Scenario } from './scenario.ts'
import type { Transcript } from './transcript.ts'
import type { Turns } from './turns.ts'

/** The parts of one fake CLI process, as its steps and answers see them. */
export interface Program {
  readonly folder: string
  readonly scenario: Scenario
  readonly launch: Launch
  readonly facts: SessionFacts
  readonly output: Output
  readonly log: Log
  readonly requests: HostRequests
  readonly servers: McpServers
  readonly openTasks: OpenTasks
  readonly transcript: Transcript
  readonly turns: Turns
  /** The `hooks` of the host's `initialize`. */
  hooks: Record<string, JsonObject[]>
  /** Stops for good; with `reading` stdin is still read and logged. */
  hang(reading: boolean): Promise<never>
  ignoreTerm(): void
  /** Delivers what was said, within two seconds, and exits. */
  exit(code: number): Promise<never>
}
