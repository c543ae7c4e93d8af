import { expect, it } from 'vitest'
import { signInAddress } from './sign-in-address.ts'

it.each([
  ['https://login.example.org/authorize?state=s&x=1', 'login.example.org'],
  ['http://127.0.0.1:9/a?state=s', '127.0.0.1:9'],
  ['http://[::1]:9/a?state=s', '[::1]:9'],
  ['http://localhost:9/a?state=s', 'localhost:9'],
])('takes %s', (text, host) => {
  expect(signInAddress(text)).toEqual({ href: text, host, state: 's' })
})

it('writes it so that nothing in it acts on a terminal, and names look as they are', () => {
  const { href, host } = signInAddress('https://g\u043e\u043egle.com/a\x1b[2J\u202e?state=s&b=\x07')
  expect(`${href}${host}`).toMatch(/^[\x21-\x7e]+$/)
  expect(host).toMatch(/^xn--/)
})

it.each([
  'nonsense',
  'http://login.example.org/a?state=s',
  'http://127.0.0.1.evil.org/a?state=s',
  'http://10.0.0.1/a?state=s',
  'javascript:alert(1)//?state=s',
  'file:///etc/passwd?state=s',
  'https://me@a.org/?state=s',
  'https://:secret@a.org/?state=s',
  'https://a.org/',
  'https://a.org/?state=',
  'https://a.org/?state=s&state=t',
])('refuses %j', (text) => {
  expect(() => signInAddress(text)).toThrow('isn’t safe to open in a browser')
})
