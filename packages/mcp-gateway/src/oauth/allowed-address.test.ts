import { expect, it } from 'vitest'
import { addressFault, isSafeServer } from './allowed-address.ts'

const fault = (target: string, server: string) => addressFault(new URL(target), new URL(server))

it.each([
  'https://accounts.example.com/authorize',
  'https://mcp.example.com/authorize',
  'https://8.8.8.8/token',
  'https://[2606:4700::1111]/token',
  'https://local.example.com./token',
])('a remote server may name %s', (target) => {
  expect(fault(target, 'https://mcp.example.com/mcp')).toBeUndefined()
})

it.each([
  'http://accounts.example.com/authorize',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://example.com/',
  'http://127.0.0.1:1/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://localhost/',
  'https://a.localhost/',
  'https://localhost./',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.20.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://user:pass@example.com/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://a.localhost./',
  'https://127.0.0.1./',
  'https://198.18.0.1/',
  'https://198.19.255.1/',
  'https://192.0.0.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://intranet/',
  'https://intranet./',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://nas.home.arpa/',
])('a remote server may not name %s', (target) => {
  expect(fault(target, 'https://mcp.example.com/mcp')).toBeTypeOf('string')
})

it('a server on this machine may name others on it, and anybody behind https', () => {
  const local = 'http://127.0.0.1:3000/mcp'
  for (const target of [
    'http://localhost:9/',
    'http://[::1]:9/',
    'https://example.com/',
    'https://10.0.0.1/',
  ])
    expect(fault(target, local)).toBeUndefined()
  for (const target of ['http://example.com/', 'http://10.0.0.1/', 'javascript:alert(1)'])
    expect(fault(target, local)).toBeTypeOf('string')
})

it('a server of a private network may name itself', () => {
  expect(fault('https://192.168.1.5:9443/auth', 'https://192.168.1.5/mcp')).toBeUndefined()
  expect(fault('https://192.168.1.1/auth', 'https://192.168.1.5/mcp')).toBeTypeOf('string')
  expect(fault('https://intranet.:9443/auth', 'https://intranet/mcp')).toBeUndefined()
  expect(fault('https://other/auth', 'https://intranet/mcp')).toBeTypeOf('string')
})

it('tokens go over https, or not beyond this machine', () => {
  expect(isSafeServer(new URL('https://example.com/'))).toBe(true)
  expect(isSafeServer(new URL('http://localhost:3000/'))).toBe(true)
  expect(isSafeServer(new URL('http://192.168.1.5/'))).toBe(false)
  expect(isSafeServer(new URL('http://example.com/'))).toBe(false)
})
