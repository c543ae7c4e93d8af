import { afterEach, expect, it, vi } from 'vitest'
import { allowedScript, scripts, trustedScript } from './trusted-scripts.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('allows the scripts of the page, by their whole address', () => {
  expect(allowedScript('/sw.js')).toBe('/sw.js')
  expect(scripts.highlighter).toMatch(/^\/[^/]/)
  expect(allowedScript(scripts.highlighter)).toBe(scripts.highlighter)
  for (const url of [
    '/sw.js?x',
    `${scripts.highlighter}#x`,
    `https://evil.example${scripts.highlighter}`,
    'https://evil.example/sw.js',
    '//evil.example',
    'data:text/javascript,1',
    'blob:null/1',
    '/assets/other.js',
    '',
  ]) {
    expect(() => allowedScript(url)).toThrow(TypeError)
    expect(() => trustedScript(url)).toThrow(TypeError)
  }
})

it('makes its policy once: browsers refuse a second of that name', () => {
  const createPolicy = vi.fn((_name: string, rules: { createScriptURL(url: string): string }) => rules)
  vi.stubGlobal('trustedTypes', { createPolicy })
  expect(trustedScript(scripts.serviceWorker)).toBe('/sw.js')
  expect(trustedScript(scripts.highlighter)).toBe(scripts.highlighter)
  expect(() => trustedScript('/evil.js')).toThrow(TypeError)
  expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['dorkos'])
})
