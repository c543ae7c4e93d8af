import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLIVersionError } from '../errors.ts'
import { checkCliVersion } from './check-version.ts'
import { minimumCliVersion } from './minimum-version.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'check-version-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const env = { PATH: process.env.PATH ?? '' }

/** Counts its starts in a file. */
function binary(answer: string, name = 'claude'): { path: string; starts: () => number } {
  const path = join(dir, name)
  const log = join(dir, 'starts')
  writeFileSync(path, `#!/bin/sh\necho start >> ${log}\n${answer}\n`, { mode: 0o755 })
  return { path, starts: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0) }
}

function npmPackage(name: string, manifest: Record<string, unknown>): string {
  const folder = join(dir, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, ...manifest }))
  return folder
}

describe('a binary', () => {
  it('is asked once, and again when it changes', async () => {
    const { path, starts } = binary('echo "9.8.7 (Claude Code)"')
    expect(await checkCliVersion(path, env)).toBe('9.8.7')
    expect(await checkCliVersion(path, env)).toBe('9.8.7')
    expect(starts()).toBe(1)
    binary('echo "10.0.0 (Claude Code), newer"')
    expect(await checkCliVersion(path, env)).toBe('10.0.0')
    expect(starts()).toBe(2)
  })

  it.each([
    ['2.1.283', true],
    ['2.0.999', true],
    ['1.9.9', true],
    ['2.1.284', false],
    ['2.1.1000', false],
    ['2.2.0', false],
    ['3.0.0-beta.1', false],
  ])('of version %s against 2.1.284: refused is %s', async (version, refused) => {
    const { path } = binary(`echo "${version} (Claude Code)"`)
    const checked = checkCliVersion(path, env, '2.1.284')
    if (refused) await expect(checked).rejects.toThrow(CLIVersionError)
    else await expect(checked).resolves.toBe(version.split('-')[0])
  })

  it.each(['echo "who knows"', 'exit 3', 'true'])(
    'whose answer is of no use is accepted: %s',
    async (answer) => {
      expect(await checkCliVersion(binary(answer).path, env)).toBeUndefined()
    },
  )

  it('that is missing is not the concern of this check', async () => {
    expect(await checkCliVersion(join(dir, 'none'), env)).toBeUndefined()
  })
})

describe('an npm package', () => {
  it('of the CLI is read, not started, also through a link', async () => {
    const folder = npmPackage('@anthropic-ai/claude-code', { version: '2.0.1' })
    writeFileSync(join(folder, 'cli.js'), 'throw new Error("started")')
    await expect(checkCliVersion(join(folder, 'cli.js'), env)).rejects.toMatchObject({ version: '2.0.1' })
    mkdirSync(join(folder, 'bin'))
    const { starts } = binary('echo 1.0.0', join('node_modules/@anthropic-ai/claude-code/bin/claude.exe'))
    symlinkSync(join(folder, 'bin/claude.exe'), join(dir, 'linked'))
    await expect(checkCliVersion(join(dir, 'linked'), env, '2.0.0')).resolves.toBe('2.0.1')
    expect(starts()).toBe(0)
  })

  it('of the official SDK states the version of its binary', async () => {
    npmPackage('@anthropic-ai/claude-agent-sdk', { version: '0.3.400', claudeCodeVersion: '2.1.400' })
    npmPackage('@anthropic-ai/claude-agent-sdk-linux-x64', { version: '0.3.400' })
    const { path, starts } = binary(
      'echo 1.0.0',
      'node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude',
    )
    expect(await checkCliVersion(path, env)).toBe('2.1.400')
    expect(starts()).toBe(0)
  })

  it('of another version than the official SDK is not judged by it', async () => {
    npmPackage('@anthropic-ai/claude-agent-sdk', { version: '0.3.400', claudeCodeVersion: '2.1.400' })
    npmPackage('@anthropic-ai/claude-agent-sdk-linux-x64', { version: '0.2.1' })
    const { path } = binary('echo 2.1.1', 'node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude')
    await expect(checkCliVersion(path, env)).rejects.toMatchObject({
      version: '2.1.1',
      minimum: minimumCliVersion,
    })
  })

  it('that is none leaves a script unasked', async () => {
    const script = join(dir, 'fake.mjs')
    writeFileSync(script, 'console.log("1.0.0")')
    expect(await checkCliVersion(script, env)).toBeUndefined()
  })
})
