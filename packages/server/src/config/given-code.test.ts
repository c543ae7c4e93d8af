import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeGivenCode } from './given-code.ts'

const code = '4f1d0a6be2c97583b0a1'
const long = `${code}${code}`
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dorkos-given-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const file = (text: string) => {
  const path = join(folder, 'secret')
  writeFileSync(path, text)
  return path
}
const fault = (env: Record<string, string>) =>
  takeGivenCode(env).then(
    () => 'taken',
    (error: Error) => `${error.name} ${error.message}`,
  )

describe('a given code', () => {
  it('is taken out of the environment, and out of that of this process', async () => {
    process.env.DORKOS_SIGN_IN_CODE = long
    const env = { PATH: '/bin', DORKOS_SIGN_IN_CODE: long }
    expect(await takeGivenCode(env)).toEqual({
      given: { code: long, from: 'environment' },
      env: { PATH: '/bin' },
    })
    expect(process.env).not.toHaveProperty('DORKOS_SIGN_IN_CODE')
  })

  it('comes from a file, by a link too, without the end of its line', async () => {
    const path = file(`${long}\n`)
    symlinkSync(path, join(folder, 'link'))
    for (const name of [path, join(folder, 'link')])
      expect(await takeGivenCode({ DORKOS_SIGN_IN_CODE_FILE: name })).toEqual({
        given: { code: long, from: 'file' },
        env: {},
      })
  })

  it('is none where nothing is said', async () => {
    expect(await takeGivenCode({ PATH: '/bin', DORKOS_SIGN_IN_CODE: '' })).toEqual({
      given: undefined,
      env: { PATH: '/bin' },
    })
  })

  it.each([
    'short-4f1d0a6be2c97',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    `${long} ${long}`,
    `${long}é`,
    long.repeat(3),
  ])('that could be guessed or sent wrongly keeps the server from starting, unrepeated: %s', async (bad) => {
    const said = await fault({ DORKOS_SIGN_IN_CODE: bad })
    expect(said).toContain('ConfigError')
    expect(said).toContain('DORKOS_SIGN_IN_CODE: the code must be random: 22 to 100')
    expect(said).not.toContain(bad)
  })

  it('in a file that is none, or in both places, is a fault with its variable', async () => {
    expect(await fault({ DORKOS_SIGN_IN_CODE_FILE: join(folder, 'none') })).toContain(
      'DORKOS_SIGN_IN_CODE_FILE: the file cannot be read (ENOENT)',
    )
    for (const path of [folder, file('x'.repeat(5000))])
      expect(await fault({ DORKOS_SIGN_IN_CODE_FILE: path })).toContain(
        'must name a file that holds the code',
      )
    expect(await fault({ DORKOS_SIGN_IN_CODE: long, DORKOS_SIGN_IN_CODE_FILE: file(long) })).toContain(
      'it cannot be set together with DORKOS_SIGN_IN_CODE_FILE',
    )
  })
})
