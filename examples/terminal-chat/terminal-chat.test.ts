import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hang, type Script, startOffline, text, toolUse } from '@dorkos/testkit'
import { expect, it } from 'vitest'
import { ExampleProcess } from '../support/example-process.ts'

const touch = (file: string) => toolUse('Bash', { command: `touch ${file}`, description: 'Create a file' })

async function startChat(script: Script) {
  const offline = await startOffline(script)
  const chat = new ExampleProcess('terminal-chat', offline)
  const made = (file: string) => existsSync(join(offline.cwd, file))
  const dispose = async () => {
    chat.endOfInput()
    await chat.exited
    await offline.dispose()
  }
  return { offline, chat, made, [Symbol.asyncDispose]: dispose }
}

it('answers several messages in one conversation, and ends with the input', async () => {
  await using started = await startChat(['Hello, Ada.', 'Your name is Ada.'])
  const { chat, offline } = started
  await chat.waitFor('> ')
  chat.type('I am Ada')
  await chat.waitFor('Hello, Ada.\n> ')
  chat.type('Who am I?')
  await chat.waitFor('Your name is Ada.\n> ')
  chat.endOfInput()
  const { exitCode, output } = await chat.exited
  expect(exitCode).toBe(0)
  // Streamed, and not shown a second time when the complete message comes.
  expect(output.match(/Hello, Ada\./g)).toHaveLength(1)
  const said = offline.model.requests.filter(({ kind }) => kind === 'main')
  expect(said[1]?.messages.length).toBeGreaterThan(said[0]?.messages.length ?? 0)
  expect(offline.model.problems).toEqual([])
})

it('asks before a tool runs: yes, no, and always', async () => {
  await using started = await startChat([
    touch('yes.txt'),
    'Made it.',
    touch('no.txt'),
    'Left it.',
    touch('always.txt'),
    'Made that.',
    touch('again.txt'),
    'And that.',
  ])
  const { chat, offline, made } = started
  const say = async (prompt: string, answer: string | undefined, end: string) => {
    chat.type(prompt)
    if (answer) {
      await chat.waitFor('(y/n/always) ')
      chat.type(answer)
    }
    await chat.waitFor(end)
  }
  await say('one', 'y', 'Made it.')
  expect(made('yes.txt')).toBe(true)
  await say('two', 'n', 'Left it.')
  expect(made('no.txt')).toBe(false)
  await say('three', 'always', 'Made that.')
  await say('four', undefined, 'And that.')
  expect(made('again.txt')).toBe(true)
  chat.endOfInput()
  const { output } = await chat.exited
  expect(output.match(/Allow Bash/g)).toHaveLength(3)
  expect(output).toContain('Allow Bash {"command":"touch no.txt","description":"Create a file"}?')
  const denied = offline.model.requests
    .flatMap(({ toolResults }) => toolResults)
    .filter(({ isError }) => isError)
  expect(denied).toHaveLength(1)
  expect(denied[0]?.text).toContain('The user said no.')
  // "Always" was for the session: no settings file was written.
  expect(made('.claude')).toBe(false)
})

it('shows words while they come, stops the answer at Ctrl-C, and talks on', async () => {
  await using started = await startChat([
    hang({
      afterDeltas: 1,
      deltaSize: 12,
      blocks: [text('Once upon a time there was a model that never stopped.')],
    }),
    'Something else.',
  ])
  const { chat } = started
  await chat.waitFor('> ')
  chat.type('Tell me a story')
  // The model hangs after these words: they can only come from the stream.
  await chat.waitFor('Once upon a ')
  chat.interrupt()
  await chat.waitFor('(interrupted)\n> ')
  chat.type('Something shorter')
  await chat.waitFor('Something else.\n> ')
  chat.interrupt()
  expect((await chat.exited).exitCode).toBe(0)
})

it('withdraws its question when Ctrl-C stops the answer', async () => {
  await using started = await startChat([touch('never.txt'), 'Fine.'])
  const { chat, made } = started
  await chat.waitFor('> ')
  chat.type('Make a file')
  await chat.waitFor('(y/n/always) ')
  chat.interrupt()
  await chat.waitFor('(interrupted)\n> ')
  // A new message, not the answer to the old question.
  chat.type('y')
  await chat.waitFor('Fine.')
  expect(made('never.txt')).toBe(false)
})

it('leaves at the second Ctrl-C', async () => {
  await using started = await startChat([hang()])
  const { chat, offline } = started
  await chat.waitFor('> ')
  chat.type('Are you there?')
  await offline.model.waitForRequest(1)
  chat.interrupt()
  await chat.waitFor('Ctrl-C again to leave')
  chat.interrupt()
  expect((await chat.exited).exitCode).toBe(0)
})
