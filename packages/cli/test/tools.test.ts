import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FakeTerminal } from './support/fake-terminal.ts'

const homes: string[] = []
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

function newHome(): { home: string; run: (...args: string[]) => Promise<FakeTerminal & { code: number }> } {
  const home = mkdtempSync(join(tmpdir(), 'dorkos-home-'))
  homes.push(home)
  return {
    home,
    async run(...args) {
      const env = { HOME: home, PATH: process.env.PATH ?? '' }
      const terminal = new FakeTerminal({ env, cwd: home, isTTY: false })
      return Object.assign(terminal, { code: await terminal.run(...args) })
    },
  }
}

describe('dorkos tools', () => {
  it('makes a tool that works, lists it and calls it', async () => {
    const { home, run } = newHome()
    const file = join(home, '.dorkos', 'tools', 'greet.mjs')
    const made = await run('tools', 'new', 'greet')
    expect(made).toMatchObject({ code: 0, stdout: `${file}\n` })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, '.dorkos', 'tools')).mode & 0o777).toBe(0o700)
    const list = await run('tools', 'list')
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(list.stdout).toMatch(/^TOOL +FILE +DESCRIPTION\ngreet +greet\.mjs +Greets a person/)
    const called = await run('tools', 'test', 'greet', '--input', '{"name":"Ada"}')
    expect(called).toMatchObject({ code: 0, stdout: 'Hello, Ada!\n', stderr: '' })
    const failed = await run('tools', 'test', 'greet', '--input', '{"name":" "}')
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain('The name is empty')
    const wrong = await run('tools', 'test', 'greet')
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('Invalid arguments')
  })

  it('never writes over a file, nor outside the folder', async () => {
    const { home, run } = newHome()
    await run('tools', 'new', 'greet')
    const file = join(home, '.dorkos', 'tools', 'greet.mjs')
    writeFileSync(file, 'mine')
    const again = await run('tools', 'new', 'greet')
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('already exists')
    expect(readFileSync(file, 'utf8')).toBe('mine')
    for (const name of ['../evil', 'a/b', 'A', '1a', 'a b', '', 'x'.repeat(49), "a'"]) {
      expect((await run('tools', 'new', '--', name)).code).toBe(2)
    }
    expect(readdirSync(join(home, '.dorkos', 'tools'))).toEqual(['greet.mjs'])
  })

  it('shows faults with file and line, and fails', async () => {
    const { home, run } = newHome()
    await run('tools', 'new', 'greet', '--folder', 'mine')
    writeFileSync(join(home, 'mine', 'broken.mjs'), `\n\nthrow new Error('out \x1b[2J of order')\n`)
    const list = await run('tools', 'list', '--folder', 'mine')
    expect(list.code).toBe(1)
    expect(list.stdout).toContain('greet.mjs')
    expect(list.stderr).toMatch(/^✗ \S+mine\/broken\.mjs:3:\d+: out .*of order\n$/)
    expect(list.stderr).not.toContain('\x1b')
    const good = await run(
      'tools',
      'test',
      'greet',
      '--folder',
      'mine',
      '--input',
      '{"name":"Ada","politely":true}',
    )
    expect(good).toMatchObject({ code: 0, stdout: 'Good day, Ada.\n' })
    expect(good.stderr).toContain('broken.mjs:3')
    expect((await run('tools', 'test', 'broken', '--folder', 'mine')).code).toBe(1)
  })

  it('speaks JSON', async () => {
    const { home, run } = newHome()
    const made = await run('tools', 'new', 'greet', '--json')
    const file = join(home, '.dorkos', 'tools', 'greet.mjs')
    expect(JSON.parse(made.stdout)).toEqual({ name: 'greet', file })
    const list = JSON.parse((await run('tools', 'list', '--json')).stdout)
    expect(list).toMatchObject({
      folder: join(home, '.dorkos', 'tools'),
      tools: [{ name: 'greet', file, inputSchema: { type: 'object' } }],
      modules: [{ file, state: 'ready', tools: ['greet'], faults: [] }],
    })
    const called = await run('tools', 'test', 'greet', '--json', '--input', '{"name":"Ada"}')
    expect(JSON.parse(called.stdout)).toEqual({ content: [{ type: 'text', text: 'Hello, Ada!' }] })
    const failed = await run('tools', 'test', 'greet', '--json', '--input', '{"name":""}')
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({ isError: true })
  })

  it.each([
    [['test']],
    [['test', 'greet', '--input', '{']],
    [['test', 'greet', '--input', '[1]']],
    [['test', 'nothing']],
    [['new']],
    [['lst']],
  ])('%j is wrong usage', async (args) => {
    const { run } = newHome()
    const wrong = await run('tools', ...args)
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).not.toBe('')
  })

  it('says that there are none, and how to make one', async () => {
    const { run } = newHome()
    const list = await run('tools', 'list')
    expect(list).toMatchObject({ code: 0, stdout: '' })
    expect(list.stderr).toContain('dorkos tools new')
  })
})
