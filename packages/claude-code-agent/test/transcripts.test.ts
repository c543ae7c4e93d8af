import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as official from '@anthropic-ai/claude-agent-sdk'
import { type Offline, realCliPath, reply, type Script, startOffline, text, toolUse } from '@dorkos/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { deleteSession, renameSession, tagSession } from '../src/transcripts/edit-session.ts'
import { forkSession } from '../src/transcripts/fork-session.ts'
import { listSessions } from '../src/transcripts/list-sessions.ts'
import { projectFolderName } from '../src/transcripts/project-folder.ts'
import { getSessionInfo } from '../src/transcripts/session-info.ts'
import { getSessionMessages } from '../src/transcripts/session-messages.ts'

// Transcripts that the real CLI wrote, and what it makes of those that we wrote.

interface CliMessage extends Record<string, unknown> {
  type: string
  session_id?: string
  uuid?: string
}

/** The CLI with nothing in between: what it writes must not depend on our own session. */
class Cli implements AsyncDisposable {
  readonly messages: CliMessage[] = []
  readonly #process: ChildProcess
  readonly #waiting = new Set<() => void>()

  constructor({ env, cwd }: { env: Record<string, string>; cwd: string }, ...flags: string[]) {
    const base = [
      '--output-format',
      'stream-json',
      '--verbose',
      '--input-format',
      'stream-json',
      '--setting-sources=',
    ]
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
    this.#process = spawn(realCliPath(), [...base, '--permission-mode=bypassPermissions', ...flags], {
      env,
      cwd,
      stdio,
    })
    const { stdout } = this.#process
    if (stdout === null) throw new Error('no output')
    createInterface({ input: stdout }).on('line', (line) => {
      this.messages.push(JSON.parse(line))
      for (const check of this.#waiting) check()
    })
    this.#process.once('exit', () => {
      for (const check of this.#waiting) check()
    })
  }

  write(message: object): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  async #find(from: number, matches: (message: CliMessage) => boolean): Promise<CliMessage> {
    return await new Promise((resolve, reject) => {
      const check = () => {
        const found = this.messages.slice(from).find(matches)
        const ended = this.#process.exitCode !== null || this.#process.signalCode !== null
        if (found === undefined && !ended) return
        this.#waiting.delete(check)
        if (found !== undefined) resolve(found)
        else reject(new Error(`the CLI ended: ${JSON.stringify(this.messages.at(-1))}`))
      }
      this.#waiting.add(check)
      check()
    })
  }

  /** One turn; returns its result. */
  async turn(prompt: string): Promise<CliMessage> {
    const from = this.messages.length
    const content = [{ type: 'text', text: prompt }]
    this.write({ type: 'user', session_id: '', message: { role: 'user', content }, parent_tool_use_id: null })
    return await this.#find(from, (message) => message.type === 'result')
  }

  async control(request: object): Promise<void> {
    const from = this.messages.length
    this.write({ type: 'control_request', request_id: 'test', request })
    await this.#find(from, (message) => message.type === 'control_response')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exit = once(this.#process, 'exit')
    this.#process.stdin?.end()
    const slow = setTimeout(() => this.#process.kill('SIGKILL'), 10_000)
    await exit
    clearTimeout(slow)
  }
}

const open: Offline[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const offline of open.splice(0)) await offline.dispose()
})

async function start(script: Script): Promise<Offline> {
  const offline = await startOffline(script, { sandbox: true })
  open.push(offline)
  // For the official functions, which know no other way.
  vi.stubEnv('CLAUDE_CONFIG_DIR', offline.configDir)
  return offline
}

/** Runs turns in one process and returns the session's id. */
async function converse(offline: Offline, prompts: readonly string[], ...flags: string[]): Promise<string> {
  await using cli = new Cli(offline, ...flags)
  let id = ''
  for (const prompt of prompts) id = String((await cli.turn(prompt)).session_id)
  return id
}

// A command's traces come with the next prompt: the last line is what was typed.
const echo: Script = (request) => text(`heard: ${request.lastUserText.split('\n').at(-1)}`)
const said = (messages: { message: unknown }[]) =>
  messages.map(({ message }) => {
    const { content } = message as { content: string | { type: string; text?: string }[] }
    return typeof content === 'string' ? content : content.map((part) => part.text ?? part.type).join(' ')
  })
/** What the model was last sent of the conversation. */
const history = (offline: Offline) => JSON.stringify(offline.model.requests.at(-1)?.messages)

describe('transcripts of the real CLI', () => {
  it('are found, listed and read as the official package does', async () => {
    const offline = await start(echo)
    const { configDir, cwd: dir } = offline
    const first = await converse(offline, ['first question', 'second question'])
    const second = await converse(offline, ['another session'])
    expect(await readdir(join(configDir, 'projects'))).toEqual([projectFolderName(dir)])

    const sessions = await listSessions({ configDir, dir })
    expect(sessions.map((info) => info.sessionId)).toEqual([second, first])
    expect(sessions).toEqual(await official.listSessions({ dir }))
    expect(await getSessionInfo(first, { configDir })).toEqual(await official.getSessionInfo(first))
    expect(sessions[1]).toMatchObject({ firstPrompt: 'first question', cwd: dir })

    const messages = await getSessionMessages(first, { configDir })
    expect(said(messages)).toEqual([
      'first question',
      'heard: first question',
      'second question',
      'heard: second question',
    ])
    expect(messages).toEqual(await official.getSessionMessages(first))
    expect(await getSessionMessages(first, { configDir, offset: 1, limit: 2 })).toEqual(messages.slice(1, 3))
  })

  it('keep parallel tool calls with their results', async () => {
    const command = (id: string, line: string) => toolUse('Bash', { command: line, description: 'test' }, id)
    const offline = await start((request) =>
      request.toolResults.length > 0
        ? 'done'
        : reply(['go', command('toolu_a', 'echo a'), command('toolu_b', 'echo b')]),
    )
    const id = await converse(offline, ['run two'])
    const messages = await getSessionMessages(id, { configDir: offline.configDir })
    expect(messages).toEqual(await official.getSessionMessages(id))
    expect(said(messages)).toEqual([
      'run two',
      'go',
      'tool_use',
      'tool_use',
      'tool_result',
      'tool_result',
      'done',
    ])
  })

  it('leave out a branch that was abandoned, and begin at a compaction', async () => {
    const offline = await start(echo)
    const { configDir } = offline
    const id = await converse(offline, ['kept', 'abandoned'])
    const [, answer] = await getSessionMessages(id, { configDir })
    await converse(offline, ['instead'], `--resume=${id}`, `--resume-session-at=${answer?.uuid}`)
    expect(said(await getSessionMessages(id, { configDir }))).toEqual([
      'kept',
      'heard: kept',
      'instead',
      'heard: instead',
    ])
    expect(await getSessionMessages(id, { configDir })).toEqual(await official.getSessionMessages(id))

    await converse(offline, ['/compact', 'afterwards'], `--resume=${id}`)
    const messages = await getSessionMessages(id, { configDir })
    const theirs = await official.getSessionMessages(id)
    expect(messages.map((message) => message.uuid)).toEqual(theirs.map((message) => message.uuid))
    expect(messages[0]?.isCompactSummary).toBe(true)
    const everything = said(await getSessionMessages(id, { configDir, includeCompacted: true }))
    expect(everything.slice(0, 4)).toEqual(['kept', 'heard: kept', 'instead', 'heard: instead'])
    expect(everything.at(-1)).toBe('heard: afterwards')
  })

  it('have subagents in files of their own, which are no sessions', async () => {
    const offline = await start((request) => {
      if (request.lastUserText !== 'delegate' || request.toolResults.length > 0) return 'done'
      return toolUse(
        'Agent',
        { description: 'sub', prompt: 'look', subagent_type: 'general-purpose' },
        'toolu_sub',
      )
    })
    const { configDir } = offline
    const id = await converse(offline, ['delegate'])
    const folder = join(configDir, 'projects', projectFolderName(offline.cwd), id, 'subagents')
    expect((await readdir(folder)).some((name) => /^agent-\w+\.jsonl$/.test(name))).toBe(true)
    expect((await listSessions({ configDir })).map((info) => info.sessionId)).toEqual([id])
    await deleteSession(id, { configDir })
    expect(await listSessions({ configDir })).toEqual([])
    expect(await official.listSessions()).toEqual([])
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })
})

describe('what we write', () => {
  it('is a title and a tag to the official package, and to the CLI on resume', async () => {
    const offline = await start(echo)
    const { configDir } = offline
    const id = await converse(offline, ['question'])
    await renameSession(id, 'Our title', { configDir })
    await tagSession(id, 'our-tag', { configDir })
    expect(await official.getSessionInfo(id)).toMatchObject({ customTitle: 'Our title', tag: 'our-tag' })
    expect(await official.getSessionInfo(id)).toEqual(await getSessionInfo(id, { configDir }))

    await converse(offline, ['x'.repeat(200_000)], `--resume=${id}`)
    const path = join(configDir, 'projects', projectFolderName(offline.cwd), `${id}.jsonl`)
    const types = (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    // The CLI took them up: it writes what it knows again at the end.
    expect(types.lastIndexOf('custom-title')).toBeGreaterThan(types.lastIndexOf('assistant'))
    expect(await getSessionInfo(id, { configDir })).toMatchObject({
      customTitle: 'Our title',
      tag: 'our-tag',
    })

    await tagSession(id, null, { configDir })
    expect((await official.getSessionInfo(id))?.tag).toBeUndefined()
  })

  it('takes the place of a title that the CLI gave', async () => {
    const offline = await start(echo)
    const { configDir } = offline
    let id: string
    {
      await using cli = new Cli(offline)
      id = String((await cli.turn('question')).session_id)
      await cli.control({ subtype: 'rename_session', title: 'By the CLI' })
      await cli.turn('more')
    }
    expect(await getSessionInfo(id, { configDir })).toMatchObject({
      customTitle: 'By the CLI',
      summary: 'By the CLI',
    })
    await renameSession(id, 'By us', { configDir })
    // Far enough from the end that the side file decides.
    const path = join(configDir, 'projects', projectFolderName(offline.cwd), `${id}.jsonl`)
    await appendFile(path, `${JSON.stringify({ type: 'filler', data: 'x'.repeat(1000) })}\n`.repeat(200))
    expect((await official.getSessionInfo(id))?.customTitle).toBe('By us')
    expect((await getSessionInfo(id, { configDir }))?.customTitle).toBe('By us')
  })

  it('is a fork that the CLI resumes with its history', async () => {
    const offline = await start(echo)
    const { configDir } = offline
    const id = await converse(offline, ['alpha', 'beta', 'gamma'])
    const messages = await getSessionMessages(id, { configDir })
    const whole = await forkSession(id, { configDir })
    const part = await forkSession(id, { configDir, upToMessageId: messages[3]?.uuid ?? '', title: 'Part' })
    expect(await official.getSessionInfo(whole.sessionId)).toMatchObject({ customTitle: 'gamma (fork)' })
    expect(await official.getSessionInfo(part.sessionId)).toMatchObject({ customTitle: 'Part' })
    const theirs = await official.getSessionMessages(whole.sessionId)
    expect(theirs).toEqual(await getSessionMessages(whole.sessionId, { configDir }))
    expect(said(theirs)).toEqual(said(messages))

    const resumed = await converse(offline, ['delta'], `--resume=${part.sessionId}`)
    expect(resumed).toBe(part.sessionId)
    expect(history(offline)).toContain('heard: beta')
    expect(history(offline)).not.toContain('gamma')
    expect(said(await getSessionMessages(part.sessionId, { configDir })).at(-1)).toBe('heard: delta')

    await converse(offline, ['epsilon'], `--resume=${whole.sessionId}`)
    for (const word of ['alpha', 'heard: beta', 'heard: gamma', 'epsilon'])
      expect(history(offline)).toContain(word)
    // The original went its own way.
    expect(await getSessionMessages(id, { configDir })).toEqual(messages)
  })

  it('lets the CLI resume a fork with tool calls and a compaction in it', async () => {
    const command = (id: string, line: string) => toolUse('Bash', { command: line, description: 'test' }, id)
    const offline = await start((request) => {
      if (request.toolResults.length > 0)
        return `got ${request.toolResults
          .map((result) => result.text)
          .sort()
          .join('+')}`
      if (request.lastUserText !== 'run two') return `heard: ${request.lastUserText.split('\n').at(-1)}`
      return reply([command('toolu_a', 'echo one'), command('toolu_b', 'echo two')])
    })
    const { configDir } = offline
    const id = await converse(offline, ['run two'])
    const early = await forkSession(id, { configDir })
    await converse(offline, ['/compact', 'after compaction'], `--resume=${id}`)
    const late = await forkSession(id, { configDir })

    await converse(offline, ['next'], `--resume=${early.sessionId}`)
    const results = offline.model.requests
      .at(-1)
      ?.messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool_result'),
      )
    expect(results?.map((part) => part.tool_use_id).sort()).toEqual(['toolu_a', 'toolu_b'])

    await converse(offline, ['last'], `--resume=${late.sessionId}`)
    expect(history(offline)).toContain('This session is being continued')
    expect(history(offline)).not.toContain('run two')
    // What the compaction kept.
    expect(history(offline)).toContain('got one+two')
    expect(history(offline)).toContain('heard: after compaction')
    expect(offline.model.problems).toEqual([])
  })
})
