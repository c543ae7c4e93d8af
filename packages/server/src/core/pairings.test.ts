import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts'
import { createMemoryCoordination } from '../adapters/memory/memory-coordination.ts'
import { Pairings } from './pairings.ts'

let clock: FakeClock
let pairings: Pairings
beforeEach(() => {
  clock = createFakeClock()
  pairings = new Pairings(createMemoryCoordination(clock).shortLived, clock)
})

const grant = { scopes: ['read' as const], principal: 'owner', madeBy: 'tok_maker' }
const ask = (from = '10.0.0.1') => pairings.request({ name: 'a browser', kind: 'browser' }, from)
const gone = expect.objectContaining({ code: 'gone' })
const limited = expect.objectContaining({ code: 'rate_limited' })

describe('a pairing', () => {
  it('shows who asks, waits to be confirmed, and is claimed once', async () => {
    const { code, secret, expires_at } = await ask()
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(Date.parse(expires_at) - clock.now()).toBe(600_000)
    const shown = { code, name: 'a browser', kind: 'browser', from: '10.0.0.1', expires_at }
    expect(await pairings.get(code)).toMatchObject({ ...shown, confirmed: false })
    expect(await pairings.claim(secret)).toBeUndefined()
    expect(await pairings.confirm(code, grant)).toMatchObject({ ...shown, confirmed: true })
    expect((await pairings.get(code)).confirmed).toBe(true)
    await expect(pairings.confirm(code, grant)).rejects.toThrow('already confirmed')
    expect(await pairings.claim(secret)).toEqual({ grant, name: 'a browser', kind: 'browser' })
    await expect(pairings.claim(secret)).rejects.toEqual(gone)
    await expect(pairings.get(code)).rejects.toEqual(gone)
  })

  it('takes the code as people type it, and not in place of the secret', async () => {
    const { code, secret } = await ask()
    const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect((await pairings.confirm(typed, grant)).code).toBe(code)
    for (const wrong of [code, code.replace('-', ''), `${secret}x`, secret.toUpperCase()])
      await expect(pairings.claim(wrong)).rejects.toEqual(gone)
    await expect(pairings.get(secret)).rejects.toEqual(gone)
    expect(await pairings.claim(secret)).toBeDefined()
  })

  it('ends after ten minutes, confirmed or not', async () => {
    const asked = await Promise.all([ask(), ask()])
    await pairings.confirm(asked[0].code, grant)
    clock.advance(600_000 - 1)
    expect((await pairings.get(asked[0].code)).confirmed).toBe(true)
    clock.advance(1)
    for (const { code, secret } of asked) {
      await expect(pairings.get(code)).rejects.toEqual(gone)
      await expect(pairings.confirm(code, grant)).rejects.toEqual(gone)
      await expect(pairings.claim(secret)).rejects.toEqual(gone)
    }
  })

  it('ends with the token that confirmed it, and when it is taken back', async () => {
    const [first, second, third] = await Promise.all([ask(), ask(), ask()])
    await pairings.confirm(first.code, grant)
    await pairings.confirm(second.code, { ...grant, madeBy: 'tok_other' })
    await pairings.dropMadeBy('tok_maker')
    await expect(pairings.claim(first.secret)).rejects.toEqual(gone)
    expect(await pairings.claim(second.secret)).toBeDefined()
    await pairings.drop(third.code)
    await expect(pairings.claim(third.secret)).rejects.toEqual(gone)
  })
})

describe('how many there are', () => {
  it('is bounded for a source: who comes later waits, and nobody loses the code that is shown', async () => {
    const first = await ask()
    clock.advance(60_000)
    for (let more = 0; more < 4; more++) await ask()
    const wait = { code: 'rate_limited', details: { retry_after: 540 } }
    for (let more = 0; more < 10; more++) await expect(ask()).rejects.toEqual(expect.objectContaining(wait))
    await ask('10.0.0.2')
    expect((await pairings.get(first.code)).confirmed).toBe(false)
    await pairings.confirm(first.code, grant)
    expect(await pairings.claim(first.secret)).toBeDefined()
    await ask()
    await expect(ask()).rejects.toEqual(limited)
  })

  it('is bounded in all, and others find room when some are over', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(`10.0.0.${index}`)))
    await expect(ask('10.0.1.1')).rejects.toEqual(limited)
    await pairings.confirm(asked[7]?.code ?? '', grant)
    await pairings.claim(asked[7]?.secret ?? '')
    await ask('10.0.1.1')
    await expect(ask('10.0.1.2')).rejects.toEqual(limited)
    clock.advance(600_000)
    await ask('10.0.1.2')
  })

  it('of wrong guesses is limited, over all who guess', async () => {
    const { code } = await ask()
    for (let guess = 0; guess < 50; guess++)
      await expect(pairings.get(guess % 2 === 0 ? 'AAAAA-AAAAA' : 'no code')).rejects.toEqual(gone)
    await expect(pairings.get(code)).rejects.toEqual(limited)
    await expect(pairings.confirm(code, grant)).rejects.toEqual(limited)
    clock.advance(600_000)
    expect((await pairings.get((await ask()).code)).confirmed).toBe(false)
  })
})
