import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createSourceOf, sourceKey } from './source-address.ts'

function from(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

describe('the source of a request', () => {
  it.each([
    ['is the peer', [], '192.0.2.7', undefined, '192.0.2.7'],
    ['is the peer, whatever it claims', [], '192.0.2.7', '10.0.0.1', '192.0.2.7'],
    ['is the peer that is no proxy', ['10.0.0.1'], '192.0.2.7', '10.0.0.9', '192.0.2.7'],
    ['is IPv4 also over an IPv6 socket', [], '::ffff:192.0.2.7', undefined, '192.0.2.7'],
    ['is what the proxy says', ['10.0.0.1'], '10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['is what the proxy says, over IPv6', ['10.0.0.1'], '::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
    [
      'is the first hop from the right that no proxy is',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '1.1.1.1, 192.0.2.7, 10.0.0.2',
      '192.0.2.7',
    ],
    ['stops at nonsense', ['10.0.0.1'], '10.0.0.1', '192.0.2.7, unknown', '10.0.0.1'],
    ['is the proxy where it says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['may be IPv6', ['::1'], '::1', '2001:db8::7', '2001:db8::7'],
  ] as const)('%s', (_name, proxies, peer, forwarded, source) => {
    expect(createSourceOf(proxies)(from(peer, forwarded))).toBe(source)
  })

  it.each(['example.org', '10.0.0.0/33', '10.0.0.0/x', ''])('refuses %j as a proxy', (entry) => {
    expect(() => createSourceOf([entry])).toThrow(/trustedProxies/)
  })

  it('counts an IPv6 subscriber as one', () => {
    expect(sourceKey('2001:db8:1:2:3:4:5:6')).toBe(sourceKey('2001:0db8:1:2::9'))
    expect(sourceKey('2001:db8:1:2::1')).not.toBe(sourceKey('2001:db8:1:3::1'))
    expect(sourceKey('::1')).toBe('0:0:0:0::/64')
    expect(sourceKey('192.0.2.7')).toBe('192.0.2.7')
  })
})
