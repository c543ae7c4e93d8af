import { describe, expect, it } from 'vitest'
import { ownHosts, ownOrigins } from './own-names.ts'

describe('own names', () => {
  it('on loopback are loopback with the port', () => {
    const hosts = ownHosts({ host: '127.0.0.1', port: 4242, tls: false, publicOrigins: [] })
    expect(hosts).toEqual(['127.0.0.1:4242', 'localhost:4242', '[::1]:4242'])
    expect(ownOrigins(hosts, false, [])).toEqual([
      'http://127.0.0.1:4242',
      'http://localhost:4242',
      'http://[::1]:4242',
    ])
  })

  it('hold the address and the public origins, with the standard port left out as browsers do', () => {
    const publicOrigins = ['https://agents.example.org', 'https://Other.example.org:8443/']
    const hosts = ownHosts({ host: 'fd00::5', port: 443, tls: true, publicOrigins })
    expect(hosts).toContain('[fd00::5]')
    expect(hosts).toContain('[fd00::5]:443')
    expect(hosts).toContain('agents.example.org')
    expect(hosts).toContain('other.example.org:8443')
    const origins = ownOrigins(hosts, true, publicOrigins)
    expect(origins).toContain('https://[fd00::5]')
    expect(origins).toContain('https://other.example.org:8443')
  })

  it('behind a proxy that speaks TLS do not take the unencrypted form of a public origin', () => {
    const publicOrigins = ['https://agents.example.org']
    const hosts = ownHosts({ host: '127.0.0.1', port: 4242, tls: false, publicOrigins })
    expect(ownOrigins(hosts, false, publicOrigins)).not.toContain('http://agents.example.org')
  })

  it('take no name from a wildcard', () => {
    for (const host of ['0.0.0.0', '::']) {
      expect(ownHosts({ host, port: 1, tls: false, publicOrigins: [] })).toEqual([
        '127.0.0.1:1',
        'localhost:1',
        '[::1]:1',
      ])
    }
  })
})
