import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type FakeCli, fakeCli, steps } from '@dorkos/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AgentOptions,
  CLIConnectionError,
  CLINotFoundError,
  CLIVersionError,
  ClaudeCodeAgent,
  InvalidOptionsError,
  isClaudeCodeAgentError,
  query,
  WorkingDirectoryError,
} from '../src/index.ts'
import { findCli } from '../src/transport/find-cli.ts'
import { logged, startFakeAgent } from './support/fake-agent.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'faults start '))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

async function startError(options: AgentOptions): Promise<Error> {
  const agent = new ClaudeCodeAgent(options)
  const error = await agent.startSession({ prompt: 'go' }).catch((reason: unknown) => reason)
  expect(isClaudeCodeAgentError(error)).toBe(true)
  return error as Error
}

describe('a session that cannot start rejects with an error of its own kind', () => {
  it('no file at cliPath', async () => {
    const cliPath = join(dir, 'nothing')
    const error = await startError({ cliPath })
    expect(error).toBeInstanceOf(CLINotFoundError)
    expect(error).toMatchObject({ code: 'CLI_NOT_FOUND', path: expect.stringContaining(cliPath) })
  })

  it('a file that cannot be run', async () => {
    const cliPath = join(dir, 'claude')
    writeFileSync(cliPath, 'text', { mode: 0o644 })
    expect(await startError({ cliPath })).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: expect.stringContaining('not executable'),
    })
  })

  it('a directory', async () => {
    expect(await startError({ cliPath: dir })).toMatchObject({ code: 'CLI_NOT_FOUND' })
  })

  it('a script whose interpreter is missing', async () => {
    const cliPath = join(dir, 'claude')
    writeFileSync(cliPath, '#!/no/such/interpreter\n', { mode: 0o755 })
    const error = await startError({ cliPath })
    expect(error).toBeInstanceOf(CLIConnectionError)
    expect(error.message).toContain(cliPath)
  })

  it.each([
    ['that does not exist', () => join(dir, 'nowhere')],
    [
      'that is a file',
      () => {
        writeFileSync(join(dir, 'file'), '')
        return join(dir, 'file')
      },
    ],
  ])('a working directory %s', async (_, make) => {
    await using fake = startFakeAgent([])
    const cwd = make()
    const error = await fake.start({ projectPath: cwd }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(WorkingDirectoryError)
    expect(error).toMatchObject({ code: 'CWD_NOT_FOUND', cwd })
    expect(await fake.entries('spawn')).toEqual([])
  })

  it('a CLI that is too old', async () => {
    await using fake = startFakeAgent([steps.say('hi')], {}, { version: '1.0.30' })
    const error = await fake.start().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CLIVersionError)
    expect(error).toMatchObject({ code: 'CLI_VERSION', version: '1.0.30', minimum: expect.any(String) })
    await fake.expectAllGone()
  })

  it('an argument that no process can be given', async () => {
    await using fake = startFakeAgent([], { model: 'a\0b' })
    const error = await fake.start().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CLIConnectionError)
  })

  it('an empty prompt', async () => {
    await using fake = startFakeAgent([steps.say('hi')])
    const outcome = await fake.start({ prompt: '' }).catch((reason: unknown) => reason)
    expect(outcome).toBeInstanceOf(InvalidOptionsError)
  })

  it('and the place among concurrent sessions is free again', async () => {
    await using fake = startFakeAgent([steps.say('hi')], { maxConcurrentSessions: 1 })
    await expect(fake.start({ projectPath: join(dir, 'nowhere') })).rejects.toThrow(WorkingDirectoryError)
    const session = await fake.start()
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
  })

  it('under query() the iteration throws it', async () => {
    const stream = query({ prompt: 'go', options: { pathToClaudeCodeExecutable: join(dir, 'nothing') } })
    await expect(stream.next()).rejects.toThrow(CLINotFoundError)
    expect(await stream.next()).toEqual({ value: undefined, done: true })
    await expect(stream.interrupt()).rejects.toThrow(CLINotFoundError)
  })
})

describe('the CLI is found', () => {
  const made: FakeCli[] = []
  const named = (text: string): FakeCli => {
    const cli = fakeCli([steps.say(text)])
    made.push(cli)
    return cli
  }
  afterEach(async () => {
    for (const cli of made.splice(0)) await cli.dispose()
  })

  async function whichAnswers(options: AgentOptions): Promise<string | undefined> {
    await using agent = new ClaudeCodeAgent(options)
    const session = await agent.startSession({ prompt: 'go' })
    return (await session.waitForCompletion()).result?.content
  }

  function onPath(cli: FakeCli): string {
    const bin = join(dir, 'bin')
    mkdirSync(bin)
    symlinkSync(cli.path, join(bin, 'claude'))
    return `${bin}${delimiter}${process.env.PATH ?? ''}`
  }

  it('by option, before CLAUDE_CODE_PATH and PATH', async () => {
    const env = { CLAUDE_CODE_PATH: named('variable').path, PATH: onPath(named('path')) }
    expect(await whichAnswers({ cliPath: named('option').path, env })).toBe('option')
  })

  it('by CLAUDE_CODE_PATH, before PATH', async () => {
    const env = { CLAUDE_CODE_PATH: named('variable').path, PATH: onPath(named('path')) }
    expect(await whichAnswers({ env })).toBe('variable')
  })

  it('on PATH, before the one that npm installed', async () => {
    expect(await whichAnswers({ env: { CLAUDE_CODE_PATH: undefined, PATH: onPath(named('path')) } })).toBe(
      'path',
    )
  })

  it('in the npm package, where nothing else is', () => {
    expect(findCli({ env: { PATH: dir } })).toMatchObject({
      source: 'package',
      path: expect.stringContaining(join('@anthropic-ai', 'claude-agent-sdk')),
    })
  })

  it('as a script that another program runs', async () => {
    const cli = named('script')
    const script = join(dir, 'cli.cjs')
    const runner = join(dir, 'runner')
    writeFileSync(script, `require(${JSON.stringify(cli.path)})\n`)
    writeFileSync(runner, `#!/bin/sh\nRUN_BY=runner exec "${process.execPath}" "$@"\n`, { mode: 0o755 })
    expect(await whichAnswers({ cliPath: script, executable: runner })).toBe('script')
    expect(await logged(cli, 'spawn')).toMatchObject({ env: { RUN_BY: 'runner' } })
  })
})

describe('what reaches the CLI', () => {
  const awkward = [
    'two words',
    `both 'single' and "double"`,
    'line\nbreak',
    '-leading-dash',
    '--model=other',
    '$(touch pwned) `touch pwned` $HOME ; touch pwned && touch pwned | touch pwned',
    '*?[a]{b,c} ~ \\ %PATH% ^ !',
    'größe 模型 🙂',
    '',
  ]

  it.each(awkward)('arguments are verbatim: %j', async (value) => {
    await using fake = startFakeAgent([steps.say('hi')], {
      cwd: dir,
      model: value,
      additionalDirectories: [value],
      extraArgs: { 'some-flag': value, bare: null },
      agent: value,
    })
    const session = await fake.start()
    await session.waitForCompletion()
    const { argv, cwd } = await fake.logged('spawn')
    expect(argv).toContain(`--model=${value}`)
    expect(argv).toContain(`--add-dir=${value}`)
    expect(argv).toContain(`--some-flag=${value}`)
    expect(argv).toContain('--bare')
    expect(argv).toContain(`--agent=${value}`)
    expect(cwd).toBe(dir)
  })

  it('nothing goes through a shell', async () => {
    await using fake = startFakeAgent([steps.say('$(touch pwned)')], { cwd: dir, model: '$(touch pwned)' })
    const session = await fake.start({ prompt: '$(touch pwned)' })
    await session.waitForCompletion()
    expect(readdirSync(dir)).toEqual([])
  })

  it('a prompt is verbatim', async () => {
    const prompt = `${awkward.join('\u2028')}\0\ud83d`
    await using fake = startFakeAgent([steps.say('hi')])
    const session = await fake.start({ prompt })
    await session.waitForCompletion()
    const sent = (await fake.entries('stdin')).map((entry) => entry.message)
    expect(sent.find((message) => message.type === 'user')).toMatchObject({ message: { content: prompt } })
  })

  it('CLAUDECODE and its like are not inherited; other variables are, under those of the options', async () => {
    const names = [
      'CLAUDECODE',
      'CLAUDE_CODE_SSE_PORT',
      'FAULTS_INHERITED',
      'FAULTS_CHANGED',
      'FAULTS_REMOVED',
    ]
    for (const name of names) process.env[name] = 'outer'
    try {
      await using fake = startFakeAgent([steps.say('hi')], {
        env: { FAULTS_CHANGED: 'inner', FAULTS_REMOVED: undefined },
      })
      const session = await fake.start()
      await session.waitForCompletion()
      const { env } = await fake.logged('spawn')
      expect(env).toMatchObject({ FAULTS_INHERITED: 'outer', FAULTS_CHANGED: 'inner' })
      for (const name of ['CLAUDECODE', 'CLAUDE_CODE_SSE_PORT', 'FAULTS_REMOVED'])
        expect(env).not.toHaveProperty(name)
    } finally {
      for (const name of names) delete process.env[name]
    }
  })

  it("query()'s env replaces the program's", async () => {
    process.env.FAULTS_INHERITED = 'outer'
    try {
      await using fake = startFakeAgent([steps.say('hi')])
      const env = { PATH: process.env.PATH, ONLY: 'this' }
      const stream = query({ prompt: 'go', options: { pathToClaudeCodeExecutable: fake.cli.path, env } })
      for await (const _ of stream);
      const spawned = await fake.logged('spawn')
      expect(spawned.env).toMatchObject({ ONLY: 'this' })
      expect(spawned.env).not.toHaveProperty('FAULTS_INHERITED')
      expect(spawned.env).not.toHaveProperty('HOME')
    } finally {
      delete process.env.FAULTS_INHERITED
    }
  })
})
