import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLINotFoundError } from '../errors.ts'
import { cliCommand, findCli } from './find-cli.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'find-cli-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function program(path: string, mode = 0o755): string {
  const full = join(dir, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, '#!/bin/sh\n')
  chmodSync(full, mode)
  return full
}

function failure(options: Parameters<typeof findCli>[0]): CLINotFoundError {
  try {
    findCli(options)
  } catch (error) {
    if (error instanceof CLINotFoundError) return error
    throw error
  }
  throw new Error('it was found')
}

describe('findCli', () => {
  it('prefers the option to the variable, the variable to PATH, and PATH to packages', () => {
    const [option, variable, onPath] = [program('a'), program('b'), program('bin/claude')]
    const env = { CLAUDE_CODE_PATH: variable, PATH: join(dir, 'bin') }
    expect(findCli({ cliPath: option, env })).toEqual({ path: option, source: 'option' })
    expect(findCli({ env })).toEqual({ path: variable, source: 'environment' })
    expect(findCli({ env: { PATH: env.PATH } })).toEqual({ path: onPath, source: 'path' })
    expect(findCli({ env: {} }).source).toBe('package')
  })

  it('finds the binary that the official package installs', () => {
    const target = `${process.platform}-${process.arch}`
    expect(findCli({ env: { PATH: dir } }).path).toContain(join(`claude-agent-sdk-${target}`, 'claude'))
  })

  it('says what is wrong with a given path, and tries nothing else', () => {
    const env = { PATH: join(dir, 'bin') }
    program('bin/claude')
    expect(failure({ cliPath: join(dir, 'none'), env }).message).toContain('no such file')
    expect(failure({ cliPath: dir, env }).message).toContain('not a file')
    expect(failure({ cliPath: program('plain', 0o644), env }).message).toContain('not executable')
    expect(failure({ env: { ...env, CLAUDE_CODE_PATH: join(dir, 'none') } }).searched).toEqual([
      join(dir, 'none'),
    ])
  })

  it('passes over what is not an executable file on PATH', () => {
    mkdirSync(join(dir, '1/claude'), { recursive: true })
    program('2/claude', 0o644)
    const found = program('3/claude')
    const path = ['1', '2', '', 'relative', '3'].map((each) =>
      each && each !== 'relative' ? join(dir, each) : each,
    )
    expect(findCli({ env: { PATH: path.join(':') } })).toEqual({ path: found, source: 'path' })
  })

  it('follows links on PATH, and looks a bare name up there', () => {
    mkdirSync(join(dir, 'bin'))
    symlinkSync(program('real'), join(dir, 'bin/my-claude'))
    const env = { PATH: join(dir, 'bin') }
    expect(findCli({ cliPath: 'my-claude', env })).toEqual({
      path: join(dir, 'bin/my-claude'),
      source: 'option',
    })
    expect(failure({ cliPath: 'other-claude', env }).searched).toEqual([join(dir, 'bin/other-claude')])
  })

  it('takes a script that is not executable, since Node runs it', () => {
    const script = program('cli.mjs', 0o644)
    expect(findCli({ cliPath: script, env: {} }).path).toBe(script)
    expect(cliCommand(script)).toEqual({ command: process.execPath, args: [script] })
    expect(cliCommand(script, 'bun')).toEqual({ command: 'bun', args: [script] })
    expect(cliCommand('/usr/bin/claude', 'bun')).toEqual({ command: '/usr/bin/claude', args: [] })
  })
})
