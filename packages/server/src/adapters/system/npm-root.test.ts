import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createNpmRoot } from './npm-root.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "npm root's [x].*-"))
  writeFileSync(join(home, 'npm'), '#!/bin/sh\necho asked >> "$0.log"\necho "said $*"\n[ "$1" != fail ]\n', {
    mode: 0o755,
  })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function prepared() {
  const root = createNpmRoot(home, `${home}:/usr/bin:/bin`)
  await root.prepare()
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { env: { PATH: root.path }, encoding: 'utf8', stdio: 'pipe' })
  const asked = () => readFileSync(join(home, 'npm.log'), 'utf8').trim().split('\n').length
  return { npm, asked }
}

it('asks npm for its folder once, and again after a day', async () => {
  const { npm, asked } = await prepared()
  for (let times = 0; times < 3; times++) expect(npm('root', '-g')).toBe('said root -g\n')
  expect(asked()).toBe(1)
  const old = Date.now() / 1000 - 2 * 86_400
  utimesSync(join(home, 'bin', 'npm-root'), old, old)
  expect(npm('root', '-g')).toBe('said root -g\n')
  expect(asked()).toBe(2)
})

it('does not find itself where another folder comes first', async () => {
  const root = createNpmRoot(home, `${home}:/usr/bin:/bin`)
  await root.prepare()
  const env = { PATH: `${home}/bin/first:${root.path}` }
  expect(execFileSync('npm', ['root', '-g'], { env, encoding: 'utf8', timeout: 5000 })).toBe('said root -g\n')
})

it('hands on all else as it is', async () => {
  const { npm, asked } = await prepared()
  expect(npm('install', 'a b', '--flag')).toBe('said install a b --flag\n')
  expect(() => npm('fail')).toThrow()
  expect(asked()).toBe(2)
})

it('remembers no failure, and is the owner’s alone', async () => {
  const { npm } = await prepared()
  writeFileSync(join(home, 'npm'), '#!/bin/sh\nexit 1\n')
  expect(() => npm('root', '-g')).toThrow()
  writeFileSync(join(home, 'npm'), '#!/bin/sh\necho /here\n')
  expect(npm('root', '-g')).toBe('/here\n')
  expect(statSync(join(home, 'bin', 'npm')).mode & 0o777).toBe(0o700)
})
