import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts'
import { Pairings } from './pairings.ts'

let clock: FakeClock
let pairings: Pairings
beforeEach(() => {
  clock = createFakeClock()
  pairings = new Pairings(clock)
})

const grant = { scopes: ['read' as const], principal: 'owner', madeBy: 'tok_maker' }
const ask = (from = '10.0.0.1') => pairings.request({ name: 'a browser', kind: 'browser' }, from)
const gone = expect.objectContaining({ code: 'gone' })
const limited = expect.objectContaining({ code: 'rate_limited' })

describe('a pairing', () => {
  it('shows who asks, waits to be confirmed, and is claimed once', () => {
    const { code, secret, expires_at } = ask()
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(Date.parse(expires_at) - clock.now()).toBe(600_000)
    const shown = { code, name: 'a browser', kind: 'browser', from: '10.0.0.1', expires_at }
    expect(pairings.get(code)).toMatchObject({ ...shown, confirmed: false })
    expect(pairings.claim(secret)).toBeUndefined()
    expect(pairings.confirm(code, grant)).toMatchObject({ ...shown, confirmed: true })
    expect(pairings.get(code).confirmed).toBe(true)
    expect(() => pairings.confirm(code, grant)).toThrow('confirmed before')
    expect(pairings.claim(secret)).toEqual({ grant, name: 'a browser', kind: 'browser' })
    expect(() => pairings.claim(secret)).toThrow(gone)
    expect(() => pairings.get(code)).toThrow(gone)
  })

  it('takes the code as people type it, and not in place of the secret', () => {
    const { code, secret } = ask()
    const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect(pairings.confirm(typed, grant).code).toBe(code)
    for (const wrong of [code, code.replace('-', ''), `${secret}x`, secret.toUpperCase()])
      expect(() => pairings.claim(wrong)).toThrow(gone)
    expect(() => pairings.get(secret)).toThrow(gone)
    expect(pairings.claim(secret)).toBeDefined()
  })

  it('ends after ten minutes, confirmed or not', () => {
    const asked = [ask(), ask()] as const
    pairings.confirm(asked[0].code, grant)
    clock.advance(600_000 - 1)
    expect(pairings.get(asked[0].code).confirmed).toBe(true)
    clock.advance(1)
    for (const { code, secret } of asked) {
      expect(() => pairings.get(code)).toThrow(gone)
      expect(() => pairings.confirm(code, grant)).toThrow(gone)
      expect(() => pairings.claim(secret)).toThrow(gone)
    }
  })

  it('ends with the token that confirmed it, and when it is taken back', () => {
    const [first, second, third] = [ask(), ask(), ask()]
    pairings.confirm(first.code, grant)
    pairings.confirm(second.code, { ...grant, madeBy: 'tok_other' })
    pairings.dropMadeBy('tok_maker')
    expect(() => pairings.claim(first.secret)).toThrow(gone)
    expect(pairings.claim(second.secret)).toBeDefined()
    pairings.drop(third.code)
    expect(() => pairings.claim(third.secret)).toThrow(gone)
  })
})

describe('how many there are', () => {
  it('is bounded for a source: who comes later waits, and nobody loses the code that is shown', () => {
    const first = ask()
    clock.advance(60_000)
    for (let more = 0; more < 4; more++) ask()
    const wait = { code: 'rate_limited', details: { retry_after: 540 } }
    for (let more = 0; more < 10; more++) expect(() => ask()).toThrow(expect.objectContaining(wait))
    ask('10.0.0.2')
    expect(pairings.get(first.code).confirmed).toBe(false)
    pairings.confirm(first.code, grant)
    expect(pairings.claim(first.secret)).toBeDefined()
    ask()
    expect(() => ask()).toThrow(limited)
  })

  it('is bounded in all, and others find room when some are over', () => {
    const asked = Array.from({ length: 20 }, (_, index) => ask(`10.0.0.${index}`))
    expect(() => ask('10.0.1.1')).toThrow(limited)
    pairings.confirm(asked[7]?.code ?? '', grant)
    pairings.claim(asked[7]?.secret ?? '')
    ask('10.0.1.1')
    expect(() => ask('10.0.1.2')).toThrow(limited)
    clock.advance(600_000)
    ask('10.0.1.2')
  })

  it('of wrong guesses is limited, over all who guess', () => {
    const { code } = ask()
    for (let guess = 0; guess < 50; guess++)
      expect(() => pairings.get(guess % 2 === 0 ? 'AAAAA-AAAAA' : 'no code')).toThrow(gone)
    expect(() => pairings.get(code)).toThrow(limited)
    expect(() => pairings.confirm(code, grant)).toThrow(limited)
    clock.advance(600_000)
    expect(pairings.get(ask().code).confirmed).toBe(false)
  })
})
