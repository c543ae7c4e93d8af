/** A session of the real CLI, as its messages came and as its transcripts have it. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type NewEvent, type StreamEvent, streamEventSchema } from '@dorkos/shared'
import { type Offline, realCliPath, type Script, startOffline } from '@dorkos/testkit'
import { ClaudeCodeAgent, type Session, type SessionOptions } from 'claude-code-agent'
import { expect } from 'vitest'
import { initialMapState, mapMessage } from '../../src/core/event-map/map-message.ts'
import { mapTranscript } from '../../src/core/event-map/map-transcript.ts'
import { joinDeltas } from '../../src/core/events/event-pipeline.ts'
import type { CliMessage } from '../../src/core/ports/agent.ts'
import type { TranscriptEntry } from '../../src/core/ports/transcripts.ts'

export interface Recorded {
  live: NewEvent[]
  history: StreamEvent[]
  sessionId: string
  entries: TranscriptEntry[]
  subagents: { parent: string; entries: TranscriptEntry[] }[]
  messageIds: string[]
}

export interface Plan {
  script: Script
  options?: SessionOptions
  env?: Record<string, string>
  prompts?: string[]
  /** Turns that the first prompt causes. */
  turns?: number
  /** Called when the first prompt was sent. */
  meanwhile?: (session: Session, live: CliMessage[], ids: string[]) => Promise<void>
}

/** Runs the plan on the real CLI, and reads its transcripts when it is over. */
export async function record(plan: Plan): Promise<Recorded> {
  await using offline = await startOffline(plan.script, {
    sandbox: true,
    ...(plan.env && { extra: plan.env }),
  })
  const agent = new ClaudeCodeAgent({
    settingSources: [],
    cliPath: realCliPath(),
    env: offline.overlay,
    cwd: offline.cwd,
    onWarning: () => {},
    includePartialMessages: true,
    forwardSubagentText: true,
    permissionMode: 'bypassPermissions',
    ...plan.options,
  })
  const raw: CliMessage[] = []
  const messageIds: string[] = []
  const session = await agent.startSession({ keepAlive: true })
  const reading = (async () => {
    for await (const message of session.messages()) raw.push(message.raw as CliMessage)
  })()
  for (const [index, prompt] of (plan.prompts ?? ['go']).entries()) {
    const ended = turnsEnded(session, index === 0 ? (plan.turns ?? 1) : 1)
    messageIds.push(randomUUID())
    await session.send(prompt, { uuid: messageIds.at(-1) as string })
    if (index === 0) await plan.meanwhile?.(session, raw, messageIds)
    await ended
  }
  await agent.close()
  await reading
  expect(offline.model.problems).toEqual([])
  const { entries, subagents } = await readTranscripts(offline, session.id)
  const history = mapTranscript(entries, { sessionId: session.id })
  return { live: mapAll(raw), history, sessionId: session.id, entries, subagents, messageIds }
}

function turnsEnded(session: Session, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count
    const stop = session.on('turnEnd', () => {
      left -= 1
      if (left > 0) return
      stop()
      resolve()
    })
  })
}

function mapAll(messages: CliMessage[]): NewEvent[] {
  const events: NewEvent[] = []
  let state = initialMapState()
  for (const message of messages) {
    const before = structuredClone({ state, message })
    const mapped = mapMessage(state, message)
    expect({ state, message }).toEqual(before)
    state = mapped.state
    events.push(...mapped.events)
  }
  const envelope = { id: '1-1', session: randomUUID(), time: new Date(0).toISOString() }
  for (const event of events) streamEventSchema.parse({ ...envelope, ...event })
  return joinDeltas(events)
}

async function readTranscripts(offline: Offline, sessionId: string) {
  const root = join(offline.configDir, 'projects')
  const files = (await readdir(root, { recursive: true })).map((file) => join(root, file))
  const main = files.find((file) => file.endsWith(`${sessionId}.jsonl`))
  const entries = main === undefined ? [] : await readEntries(main)
  const subagents: Recorded['subagents'] = []
  for (const file of files.filter((name) => name.endsWith('.meta.json'))) {
    const { toolUseId } = JSON.parse(await readFile(file, 'utf8')) as { toolUseId: string }
    subagents.push({ parent: toolUseId, entries: await readEntries(file.replace('.meta.json', '.jsonl')) })
  }
  return { entries, subagents }
}

async function readEntries(file: string): Promise<TranscriptEntry[]> {
  let offset = 0
  return (await readFile(file, 'utf8')).split('\n').flatMap((line) => {
    const start = offset
    offset += Buffer.byteLength(line) + 1
    return line === '' ? [] : [{ offset: start, entry: JSON.parse(line) as Record<string, unknown> }]
  })
}
