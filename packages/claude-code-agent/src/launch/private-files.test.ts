import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { PrivateFiles } from './private-files.ts'

it('files can be read by their owner only, share a folder, and are removed with it', () => {
  const files = new PrivateFiles()
  const one = files.write('one.json', '1')
  const two = files.write('two.json', '2')
  expect([readFileSync(one, 'utf8'), readFileSync(two, 'utf8')]).toEqual(['1', '2'])
  expect(statSync(one).mode & 0o777).toBe(0o600)
  expect(dirname(two)).toBe(dirname(one))
  expect(statSync(dirname(one)).mode & 0o777).toBe(0o700)
  files.remove()
  files.remove()
  expect(existsSync(dirname(one))).toBe(false)
})

it('nothing is made before something is written', () => {
  const files = new PrivateFiles()
  files.remove()
  const path = files.write('again.json', '')
  expect(() => files.write('again.json', '')).toThrow('EEXIST')
  files.remove()
  expect(existsSync(path)).toBe(false)
})
