import { describe, expect, it } from 'vitest'
import { homeOf, parseServerFile } from './server-files.ts'

describe('parseServerFile', () => {
  it('takes what a server writes, and nothing else', () => {
    const good = { url: 'http://127.0.0.1:4242', pid: 12, version: '0.1.0' }
    expect(parseServerFile(JSON.stringify(good))).toEqual(good)
    for (const bad of [
      '',
      'null',
      '{}',
      JSON.stringify({ ...good, url: 'file:///etc/passwd' }),
      JSON.stringify({ ...good, url: 'javascript:alert(1)' }),
      JSON.stringify({ ...good, pid: -1 }),
      JSON.stringify({ ...good, pid: '12' }),
    ]) {
      expect(parseServerFile(bad)).toBeUndefined()
    }
  })
})

describe('homeOf', () => {
  it('is DORKOS_HOME, or .dorkos in the home', () => {
    expect(homeOf({ HOME: '/home/a' })).toBe('/home/a/.dorkos')
    expect(homeOf({ HOME: '/home/a', DORKOS_HOME: '/srv/x' })).toBe('/srv/x')
  })
})
