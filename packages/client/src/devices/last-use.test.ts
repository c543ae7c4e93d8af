import type { Token } from '@dorkos/shared'
import { describe, expect, it } from 'vitest'
import { text } from '../text/page-text.ts'
import { lastAddress, lastProgram, lastUse } from './last-use.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('the last use of a device', () => {
  it('distinguishes the server’s own machine from others, as seen from where the page is', () => {
    for (const from of ['127.0.0.1', '::1']) {
      expect(lastAddress({ last_used_from: from }, 'localhost')).toBe(text.devices.thisMachine)
      expect(lastAddress({ last_used_from: from }, 'home.example')).toBe(text.devices.serverMachine)
    }
    expect(lastAddress({ last_used_from: '192.168.1.7' }, 'localhost')).toBe('192.168.1.7')
    expect(lastAddress({}, 'localhost')).toBeUndefined()
  })

  it('calls browsers by their names, and other programs as they call themselves', () => {
    expect(lastProgram({ last_used_agent: firefox })).toBe('Firefox on Linux')
    expect(lastProgram({ last_used_agent: 'curl/8.5.0' })).toBe('curl/8.5.0')
    expect(lastProgram({ last_used_agent: 'x'.repeat(300) })).toHaveLength(61)
    expect(lastProgram({ last_used_agent: 'a\u202eb' })).not.toContain('\u202e')
    expect(lastProgram({})).toBeUndefined()
  })

  it('says what is known', () => {
    const token = { last_used_from: '10.0.0.9', last_used_agent: firefox } as Token
    expect(lastUse(token, 'localhost')).toBe('Firefox on Linux, 10.0.0.9')
    expect(lastUse({} as Token, 'localhost')).toBeUndefined()
  })
})
