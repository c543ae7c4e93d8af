import { expect, it } from 'vitest'
import { redirectFault } from './redirect-uri.ts'

const own = ['http://127.0.0.1:4242', 'https://dorkos.example']

it.each([
  'http://127.0.0.1:4242/mcp-sign-in',
  'https://dorkos.example/mcp-sign-in',
  'http://127.0.0.1:51234/callback',
  'http://localhost:51234/callback',
  'http://[::1]:51234/callback',
])('sends back to %s', (uri) => {
  expect(redirectFault(uri, own)).toBeUndefined()
})

it.each([
  'https://evil.example/mcp-sign-in',
  'http://dorkos.example/mcp-sign-in',
  'https://dorkos.example:8443/mcp-sign-in',
  'https://dorkos.example.evil.example/mcp-sign-in',
  'https://dorkos.example@evil.example/mcp-sign-in',
  'https://user@dorkos.example/mcp-sign-in',
  'https://:word@dorkos.example/mcp-sign-in',
  'http://:word@127.0.0.1:51234/callback',
  'https://dorkos.example/mcp-sign-in/',
  'https://dorkos.example/mcp-sign-in/../elsewhere',
  'https://dorkos.example/x/../mcp-sign-in',
  'https://dorkos.example/mcp-sign-in?next=x',
  'https://dorkos.example/mcp-sign-in#x',
  'https://dorkos.example/',
  'HTTPS://dorkos.example/mcp-sign-in',
  'http://127.0.0.1:51234/mcp-sign-in',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:80/callback',
  'http://127.0.0.2:51234/callback',
  'http://10.0.0.1:51234/callback',
  'http://127.0.0.1:51234/callback?x=1',
  'http://127.0.0.1:51234/other',
  'https://127.0.0.1:51234/callback',
  'javascript:alert(1)',
  'dorkos://callback',
  'not an address',
])('does not send back to %s', (uri) => {
  expect(redirectFault(uri, own)?.message).toContain('redirect_uri must be')
})
