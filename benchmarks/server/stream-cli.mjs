/** Stands in for the CLI where a stream must come at a known pace: the least of its protocol, and texts that say when they were written. */
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * @typedef {object} StreamPlan
 * @property {number} count Texts in a turn.
 * @property {number} [everyMs] Time between two; none: all at once.
 * @property {number} [blocks] The texts go round so many blocks. Neighbours of different blocks are never joined.
 * @property {number} [pad] Characters besides the time.
 * @property {number} [paragraph] After so many texts a new paragraph begins.
 */

/** An executable that answers each message with this stream. @param {StreamPlan} plan */
export async function writeStreamCli(plan) {
  const folder = await mkdtemp(join(tmpdir(), 'stream-cli-'))
  const path = join(folder, 'claude')
  const url = JSON.stringify(import.meta.url)
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}\n')
  await writeFile(
    path,
    `#!${process.execPath}\nimport(${url}).then((cli) => cli.main(${JSON.stringify(plan)}))\n`,
  )
  await chmod(path, 0o755)
  return { path, dispose: () => rm(folder, { recursive: true, force: true }) }
}

/** A clock that all processes of the machine share, in nanoseconds. */
export function sharedClock() {
  return Number(process.hrtime.bigint())
}

/** @param {StreamPlan} plan */
export function main(plan) {
  if (process.argv.includes('--version')) {
    process.stdout.write('2.1.325 (Claude Code)\n')
    return
  }
  const cli = new StreamCli(plan)
  let rest = ''
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') cli.take(JSON.parse(line))
  })
  process.stdin.on('end', () => process.exit(0))
  process.on('SIGTERM', () => process.exit(143))
}

class StreamCli {
  #plan
  #sessionId = argument('--session-id') ?? argument('--resume') ?? 'stream'
  #settings = settings()
  #turns = 0

  /** @param {StreamPlan} plan */
  constructor(plan) {
    this.#plan = plan
  }

  /** @param {any} message */
  take(message) {
    if (message.type === 'user') void this.#turn(message.uuid)
    if (message.type === 'control_request') this.#answer(message)
  }

  /** @param {any} message */
  #answer({ request_id, request }) {
    const answer = request.subtype === 'get_settings' ? this.#settings : answers[request.subtype]
    const response = { subtype: 'success', request_id, response: answer ?? {} }
    write({ type: 'control_response', response })
    if (request.subtype === 'end_session') process.exit(0)
  }

  /** @param {string | undefined} uuid */
  async #turn(uuid) {
    const id = `msg_${++this.#turns}`
    const { count, everyMs, blocks = 1 } = this.#plan
    this.#system('session_state_changed', { state: 'running', sdk_host_only: true })
    for (const state of ['queued', 'started']) this.#lifecycle(uuid, state)
    this.#system('init', { cwd: process.cwd(), tools: [], mcp_servers: [], model: 'none' })
    this.#event(id, { type: 'message_start', message: { ...emptyMessage, id } })
    for (let index = 0; index < blocks; index++)
      this.#event(id, { type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
    await (everyMs === undefined ? this.#flood(id, count) : this.#pace(id, count, everyMs))
    this.#event(id, { type: 'message_stop' })
    const result = { subtype: 'success', is_error: false, result: '', total_cost_usd: 0, usage: {} }
    this.#send({ type: 'result', ...result, modelUsage: {}, num_turns: 1, terminal_reason: 'completed' })
    this.#lifecycle(uuid, 'completed')
    this.#system('session_state_changed', { state: 'idle', sdk_host_only: true })
  }

  /** @param {string} id @param {number} count @param {number} everyMs */
  #pace(id, count, everyMs) {
    return new Promise((resolve) => {
      let sent = 0
      const timer = setInterval(() => {
        this.#text(id, sent++)
        if (sent < count) return
        clearInterval(timer)
        resolve(undefined)
      }, everyMs)
    })
  }

  /** @param {string} id @param {number} count */
  async #flood(id, count) {
    for (let sent = 0; sent < count; sent++) this.#text(id, sent)
  }

  /** @param {string} id @param {number} number */
  #text(id, number) {
    const { blocks = 1, pad = 0, paragraph } = this.#plan
    const end = paragraph === undefined ? '' : (number + 1) % paragraph === 0 ? '\n\n' : ' '
    const text = `${sharedClock()};${'x'.repeat(pad)}${end}`
    this.#event(id, {
      type: 'content_block_delta',
      index: number % blocks,
      delta: { type: 'text_delta', text },
    })
  }

  /** @param {string} id @param {object} event */
  #event(id, event) {
    this.#send({ type: 'stream_event', event, parent_tool_use_id: null, api_message_id: id })
  }

  /** @param {string} subtype @param {object} fields */
  #system(subtype, fields) {
    this.#send({ type: 'system', subtype, ...fields })
  }

  /** @param {string | undefined} uuid @param {string} state */
  #lifecycle(uuid, state) {
    if (uuid !== undefined) this.#send({ type: 'command_lifecycle', command_uuid: uuid, state })
  }

  /** @param {object} message */
  #send(message) {
    write({ ...message, session_id: this.#sessionId, uuid: '00000000-0000-4000-8000-000000000000' })
  }
}

const emptyMessage = { type: 'message', role: 'assistant', model: 'none', content: [], usage: {} }

/** @type {Record<string, object>} */
const answers = {
  initialize: {
    commands: [],
    agents: [],
    models: [],
    output_style: 'default',
    available_output_styles: ['default'],
    account: {},
    hook_on_failure_supported: true,
    session_state: 'idle',
    pending_permission_requests: [],
  },
  mcp_status: { mcpServers: [] },
  get_hooks_listing: { events: [], hooks: [], policy: { allDisabled: true, policyHookCount: 0 } },
  get_context_usage: { categories: [], totalTokens: 0, maxTokens: 1, percentage: 0 },
}

/** It goes by what it was given. */
function settings() {
  const file = argument('--settings')
  return { effective: file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8')), sources: [] }
}

/** @param {object} message */
function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** @param {string} flag */
function argument(flag) {
  return process.argv.find((text) => text.startsWith(`${flag}=`))?.slice(flag.length + 1)
}
