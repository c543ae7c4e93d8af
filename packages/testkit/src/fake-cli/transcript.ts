import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from './scenario.ts'

/** What was said to the agent, where the real CLI keeps it: by this a host knows that there is a session to resume. */
export interface Transcript {
  add(content: unknown, uuid?: string): void
}

export const noTranscript: Transcript = { add: () => undefined }

export function openTranscript(sessionId: string, env: NodeJS.ProcessEnv): Transcript {
  const configDir = env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude')
  const project = join(configDir, 'projects', process.cwd().replace(/[^a-zA-Z0-9]/g, '-'))
  const file = join(project, `${sessionId}.jsonl`)
  mkdirSync(project, { recursive: true })
  // Here each CLI says that it runs. Without the folder a fresh transcript is taken for one that another works on.
  mkdirSync(join(configDir, 'sessions'), { recursive: true })
  let parentUuid = lastUuid(file)
  return {
    add: (content, uuid = randomUUID()) => {
      const about = { sessionId, cwd: process.cwd(), timestamp: new Date().toISOString() }
      const line = { type: 'user', uuid, parentUuid, ...about, message: { role: 'user', content } }
      appendFileSync(file, `${JSON.stringify(line)}\n`)
      parentUuid = uuid
    },
  }
}

function lastUuid(file: string): string | null {
  const last = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) : ''
  return last ? String((JSON.parse(last) as JsonObject).uuid) : null
}
