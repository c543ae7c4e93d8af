import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { InvalidOptionsError } from '../errors.ts'
import { PrivateFiles } from './private-files.ts'
import { handOverSettings } from './settings-file.ts'

describe('handOverSettings', () => {
  const files = new PrivateFiles()
  afterEach(() => files.remove())

  it.each(['{"a":1}', ' \n{"a":1} '])('writes %j to a file', (settings) => {
    const path = handOverSettings(settings, files) ?? ''
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 1 })
  })

  it.each([undefined, '/etc/settings.json', './settings.json', ''])('leaves %j', (settings) => {
    expect(handOverSettings(settings, files)).toBe(settings)
  })

  it('refuses JSON that is broken: the CLI must not start with less than was asked for', () => {
    expect(() => handOverSettings('{"permissions":', files)).toThrow(InvalidOptionsError)
  })
})
