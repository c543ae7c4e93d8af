/** Writes transcripts as the CLI does, for lists and pages of them. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const start = Date.parse('2026-01-01T00:00:00Z')

/** Small ones, in the folders of 20 projects. @param {string} configDir @param {number} count */
export async function writeTranscripts(configDir, count) {
  const projects = Array.from({ length: 20 }, (_, index) => `/projects/project-${index}`)
  for (const cwd of projects) await mkdir(folderOf(configDir, cwd), { recursive: true })
  for (let number = 0; number < count; number++) {
    const cwd = projects[number % projects.length] ?? ''
    const sessionId = randomUUID()
    const lines = [...conversation(sessionId, cwd, { turns: 4, answerCharacters: 400, seed: number })]
    await writeFile(join(folderOf(configDir, cwd), `${sessionId}.jsonl`), lines.join(''))
  }
}

/** One of at least this size. Answers with its session's id and its path. @param {string} configDir @param {number} bytes */
export async function writeLongTranscript(configDir, bytes) {
  const cwd = '/projects/long'
  const sessionId = randomUUID()
  const folder = folderOf(configDir, cwd)
  const path = join(folder, `${sessionId}.jsonl`)
  await mkdir(folder, { recursive: true })
  const lines = conversation(sessionId, cwd, {
    turns: Number.POSITIVE_INFINITY,
    answerCharacters: 2000,
    seed: 0,
  })
  await pipeline(upTo(lines, bytes), createWriteStream(path))
  return { sessionId, path }
}

/** One of so many turns, of a project that is there. Answers with its session's id. @param {string} configDir @param {string} cwd @param {number} turns */
export async function writeTranscriptOf(configDir, cwd, turns) {
  const sessionId = randomUUID()
  const folder = folderOf(configDir, cwd)
  await mkdir(folder, { recursive: true })
  const lines = [...conversation(sessionId, cwd, { turns, answerCharacters: 400, seed: 0 })]
  const path = join(folder, `${sessionId}.jsonl`)
  await writeFile(path, lines.join(''))
  // One that has just been written to is taken to be in use by another process.
  await utimes(path, new Date(start), new Date(start))
  return sessionId
}

/** @param {Iterable<string>} lines @param {number} bytes */
function* upTo(lines, bytes) {
  let written = 0
  for (const line of lines) {
    yield line
    written += line.length
    if (written >= bytes) return
  }
}

/**
 * @param {string} sessionId
 * @param {string} cwd
 * @param {{ turns: number, answerCharacters: number, seed: number }} size
 */
function* conversation(sessionId, cwd, { turns, answerCharacters, seed }) {
  let parentUuid = null
  let time = start + seed * 60_000
  for (let turn = 0; turn < turns; turn++) {
    const common = {
      sessionId,
      cwd,
      version: '2.1.325',
      gitBranch: 'main',
      isSidechain: false,
      userType: 'external',
    }
    const asked = randomUUID()
    const answered = randomUUID()
    const question = { role: 'user', content: `Question ${turn} of conversation ${seed}` }
    yield line({
      ...common,
      type: 'user',
      parentUuid,
      uuid: asked,
      timestamp: iso(time++),
      message: question,
    })
    const answer = {
      id: `msg_${seed}_${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [{ type: 'text', text: `Answer ${turn}. `.repeat(Math.ceil(answerCharacters / 12)) }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 20 },
    }
    yield line({
      ...common,
      type: 'assistant',
      parentUuid: asked,
      uuid: answered,
      timestamp: iso(time++),
      message: answer,
    })
    parentUuid = answered
  }
}

/** @param {object} entry */
const line = (entry) => `${JSON.stringify(entry)}\n`

/** @param {number} time */
const iso = (time) => new Date(time).toISOString()

/** @param {string} configDir @param {string} cwd */
function folderOf(configDir, cwd) {
  return join(configDir, 'projects', cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'))
}
