/** A long conversation on the disk, as a CLI in a terminal would have left it. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '../../../server/test/support/start-host.ts'

/** Writes a transcript of so many turns, each of a question and an answer, into the host's CLI folder. Gives its session's id. */
export function writeLongTranscript(host: Host, turns: number): string {
  const sessionId = randomUUID()
  const folder = join(host.root, '.claude', 'projects', host.cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${sessionId}.jsonl`), [...lines(sessionId, host.cwd, turns)].join(''))
  return sessionId
}

const began = Date.parse('2026-01-01T00:00:00Z')

function* lines(sessionId: string, cwd: string, turns: number): Generator<string> {
  const common = { sessionId, cwd, version: '2.1.325', isSidechain: false, userType: 'external' }
  let parentUuid: string | null = null
  for (let turn = 0; turn < turns; turn++) {
    const timestamp = new Date(began + turn * 60_000).toISOString()
    const asked = randomUUID()
    const uuid = randomUUID()
    const question = { role: 'user', content: `Question ${turn}` }
    yield line({ ...common, type: 'user', parentUuid, uuid: asked, timestamp, message: question })
    const message = {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [{ type: 'text', text: answer(turn) }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 20 },
    }
    yield line({ ...common, type: 'assistant', parentUuid: asked, uuid, timestamp, message })
    parentUuid = uuid
  }
}

/** Of many shapes, so that no guess at its height is right. */
function answer(turn: number): string {
  const rest = [
    'Short.',
    'A longer one. '.repeat(30),
    '- one\n- two\n- three',
    `\`\`\`ts\n${'const a = 1\n'.repeat(12)}\`\`\``,
  ][turn % 4]
  return `Answer ${turn}.\n\n${rest}`
}

const line = (entry: object): string => `${JSON.stringify(entry)}\n`
