import { describe, expect, it } from 'vitest'
import { createProxyChoice } from './proxy-choice.ts'

const proxy = 'http://proxy.test:3128/'
const chosen = (env: NodeJS.ProcessEnv, url: string) => createProxyChoice(env)(new URL(url))?.href

describe('a proxy', () => {
  it('is chosen by the protocol of what is asked for, lower case first', () => {
    const env = {
      HTTPS_PROXY: 'http://upper.test',
      https_proxy: 'proxy.test:3128',
      HTTP_PROXY: 'http://plain.test',
    }
    expect(chosen(env, 'https://api.anthropic.com/v1')).toBe(proxy)
    expect(chosen(env, 'http://models.test/v1')).toBe('http://plain.test/')
    expect(chosen({ HTTP_PROXY: proxy }, 'https://api.anthropic.com')).toBeUndefined()
    expect(chosen({ HTTPS_PROXY: '' }, 'https://api.anthropic.com')).toBeUndefined()
  })

  it('is not between this machine and itself', () => {
    const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy }
    for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '[::1]'])
      expect(chosen(env, `http://${host}:8080/`)).toBeUndefined()
  })

  it.each([
    ['*', true],
    ['models.test', true],
    ['.models.test', true],
    ['*.models.test', true],
    ['other.test, models.test', true],
    ['models.test:8443', true],
    ['models.test:443', false],
    ['odels.test', false],
    ['a.models.test', true],
    ['b.a.models.test', false],
    ['10.0.0.0/8', false],
    ['MODELS.TEST', true],
  ])('NO_PROXY=%s leaves a.models.test:8443 out: %s', (list, isLeftOut) => {
    const env = { HTTPS_PROXY: proxy, NO_PROXY: list }
    expect(chosen(env, 'https://a.models.test:8443/v1') === undefined).toBe(isLeftOut)
  })

  it.each([
    ['10.0.0.0/8', 'https://10.1.2.3/', true],
    ['10.0.0.0/8', 'https://11.1.2.3/', false],
    ['10.1.2.3', 'https://10.1.2.3/', true],
    ['fd00::/8', 'https://[fd00::1]/', true],
    ['10.0.0.0/99', 'https://10.1.2.3/', false],
  ])('NO_PROXY=%s leaves %s out: %s', (list, url, isLeftOut) => {
    expect(chosen({ HTTPS_PROXY: proxy, no_proxy: list }, url) === undefined).toBe(isLeftOut)
  })

  it.each(['socks5://proxy.test', 'http://', '::'])('that cannot be used is an error: %s', (value) => {
    expect(() => chosen({ HTTPS_PROXY: value }, 'https://models.test')).toThrow('HTTPS_PROXY')
  })

  it('that cannot be used is named without its password', () => {
    const env = { HTTPS_PROXY: 'socks5://me:secret@proxy.test' }
    const choose = () => chosen(env, 'https://models.test')
    expect(choose).toThrow(/^(?!.*secret).*socks5:\/\/proxy\.test/)
  })
})
