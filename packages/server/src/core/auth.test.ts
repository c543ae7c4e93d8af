import { createHash } from 'node:crypto'
import type { Scope, Token } from '@dorkos/shared'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts'
import { createMemoryCoordination } from '../adapters/memory/memory-coordination.ts'
import { type Actor, tokenOf } from './actor.ts'
import { auditedAuth } from './audited-services.ts'
import { type Auth, createAuth, ownTerminals } from './auth.ts'
import type { TokenRecord, TokenStore, TokenUse } from './ports/records.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const all: Scope[] = ['read', 'chat', 'approve', 'admin']

class MemoryTokens implements TokenStore {
  readonly rows = new Map<string, TokenRecord>()
  reads = 0
  touches: TokenUse[] = []
  beforeAnswer: (() => Promise<void>) | undefined

  async create(token: TokenRecord) {
    this.rows.set(token.id, token)
  }
  async byHash(hash: string) {
    this.reads++
    const found = [...this.rows.values()].find((row) => row.hash === hash)
    await this.beforeAnswer?.()
    return found
  }
  async list({ principal }: { principal: string | null }): Promise<Token[]> {
    const rows = [...this.rows.values()].filter((row) => row.principal === (principal ?? row.principal))
    return rows.map(({ hash: _hash, ...token }) => token)
  }
  async revoke(id: string, at: string) {
    const row = this.rows.get(id)
    if (row) this.rows.set(id, { ...row, revoked_at: at })
    return this.rows.get(id)
  }
  async rename(id: string, name: string) {
    const row = this.rows.get(id)
    if (row) this.rows.set(id, { ...row, name })
    return this.rows.get(id)
  }
  async touch(_id: string, use: TokenUse) {
    this.touches.push(use)
  }
}

let clock: FakeClock
let tokens: MemoryTokens
let auth: Auth
let acted: boolean

beforeEach(() => {
  clock = createFakeClock()
  tokens = new MemoryTokens()
  acted = false
  auth = createAuth({
    tokens,
    shortLived: createMemoryCoordination(clock).shortLived,
    agentsHaveActed: async () => acted,
    clock,
    logger: silent,
    onChange: () => {},
  })
})

async function signIn(scopes: Scope[], kind: 'browser' | 'terminal' = 'browser') {
  const { code } = await auth.createSignInCode(scopes)
  return auth.redeem({ code, name: 'a browser', kind }, '127.0.0.1')
}

async function actorOf(secret: string): Promise<Actor> {
  const actor = await auth.authenticate(secret, '127.0.0.1')
  if (!actor) throw new Error('not authenticated')
  return actor
}

describe('tokens', () => {
  it('are 256 bits, and only their SHA-256 is stored', async () => {
    const { secret, token } = await signIn(all)
    expect(secret).toMatch(/^dork_[A-Za-z0-9_-]{43}$/)
    const row = tokens.rows.get(token.id)
    expect(row?.hash).toBe(createHash('sha256').update(secret).digest('hex'))
    expect(JSON.stringify(row)).not.toContain(secret.slice(5, 20))
    expect(token).not.toHaveProperty('hash')
  })

  it('give the actor of the stored row', async () => {
    const { secret, token } = await signIn(['read', 'chat'])
    expect(await auth.authenticate(secret, '10.0.0.9')).toEqual({
      principal: 'owner',
      scopes: ['read', 'chat'],
      via: { kind: 'token', id: token.id, name: 'a browser', from: '10.0.0.9' },
    })
  })

  it.each(['', 'dork_', 'Bearer x', `dork_${'A'.repeat(43)}`, `dork_${'A'.repeat(44)}`, 'dork_é'])(
    '%j is nobody',
    async (secret) => {
      await signIn(all)
      expect(await auth.authenticate(secret, 'x')).toBeUndefined()
    },
  )

  it('do not reach the store when they have not the form of a token', async () => {
    await auth.authenticate('x'.repeat(1_000_000), 'x')
    expect(tokens.reads).toBe(0)
  })

  it('are compared whole: a store that answers with another row does not let in', async () => {
    const { secret } = await signIn(all)
    const other = await signIn(all)
    const [first, second] = [...tokens.rows.values()]
    tokens.byHash = async () => (first && second ? { ...first, hash: second.hash } : undefined)
    expect(await auth.authenticate(secret, 'x')).toBeUndefined()
    expect(await auth.authenticate(other.secret, 'x')).toBeDefined()
    tokens.byHash = async () => (first ? { ...first, hash: 'abcd' } : undefined)
    clock.advance(31_000)
    expect(await auth.authenticate(secret, 'x')).toBeUndefined()
  })

  it('end when they expire, and say so', async () => {
    const admin = await actorOf((await signIn(all)).secret)
    const { secret, token } = await auth.createToken(admin, {
      name: 'ci',
      scopes: ['read'],
      expires_in_days: 30,
    })
    const ended: string[] = []
    auth.onRevoked((id) => ended.push(id))
    await actorOf(secret)
    clock.advance(30 * 86_400_000 - 1)
    expect(ended).toEqual([])
    expect(await auth.authenticate(secret, 'x')).toBeDefined()
    clock.advance(1)
    expect(ended).toEqual([token.id])
    expect(await auth.authenticate(secret, 'x')).toBeUndefined()
  })

  it('end at once when they are revoked, though they were remembered', async () => {
    const { secret, token } = await signIn(all)
    const actor = await actorOf(secret)
    const ended: string[] = []
    auth.onRevoked((id) => ended.push(id))
    await auth.revokeToken(actor, token.id)
    expect(ended).toEqual([token.id])
    expect(await auth.authenticate(secret, 'x')).toBeUndefined()
    await expect(auth.revokeToken(actor, 'tok_00000000')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are not remembered as valid when they are revoked while they are read', async () => {
    const { secret, token } = await signIn(all)
    const admin = await actorOf((await signIn(all)).secret)
    tokens.beforeAnswer = async () => {
      tokens.beforeAnswer = undefined
      await auth.revokeToken(admin, token.id)
    }
    expect(await auth.authenticate(secret, 'x')).toBeUndefined()
    expect(await auth.authenticate(secret, 'x')).toBeUndefined()
  })

  it('are read and touched once in a while, not on every call', async () => {
    const { secret } = await signIn(all)
    for (let call = 0; call < 50; call++) await actorOf(secret)
    expect(tokens.reads).toBe(1)
    expect(tokens.touches).toHaveLength(1)
    clock.advance(61_000)
    await actorOf(secret)
    expect(tokens.touches).toHaveLength(2)
    expect(tokens.reads).toBe(2)
  })

  it('note where they are used from when that changes, though not with every call', async () => {
    const { secret } = await signIn(all)
    await auth.authenticate(secret, '127.0.0.1', 'Firefox/1')
    clock.advance(2000)
    await auth.authenticate(secret, '127.0.0.1', 'Firefox/1')
    await auth.authenticate(secret, '10.0.0.9', 'curl/8')
    // Two places at once do not write the store full.
    for (let call = 0; call < 20; call++)
      await auth.authenticate(secret, call % 2 === 0 ? '127.0.0.1' : '10.0.0.9', 'curl/8')
    expect(tokens.touches.map(({ from, agent }) => `${from} ${agent}`)).toEqual([
      '127.0.0.1 Firefox/1',
      '10.0.0.9 curl/8',
    ])
  })

  it('act under their new name at once, also when they are renamed while they are read', async () => {
    const admin = await actorOf((await signIn(all)).secret)
    const { secret, token } = await signIn(['read'])
    expect(tokenOf(await actorOf(secret)).name).toBe('a browser')
    expect(await auth.renameToken(admin, token.id, 'desk')).toMatchObject({ id: token.id, name: 'desk' })
    expect(tokenOf(await actorOf(secret)).name).toBe('desk')
    clock.advance(31_000)
    tokens.beforeAnswer = async () => {
      tokens.beforeAnswer = undefined
      await auth.renameToken(admin, token.id, 'kitchen')
    }
    expect(tokenOf(await actorOf(secret)).name).toBe('kitchen')
    await expect(auth.renameToken(admin, 'tok_00000000', 'x')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('cannot bear the name of the server’s own one, whichever way they come', async () => {
    const { secret, token } = await signIn(all)
    const admin = await actorOf(secret)
    const taken = { code: 'conflict' }
    const named = { name: ownTerminals, kind: 'terminal' as const }
    await expect(auth.renameToken(admin, token.id, ownTerminals)).rejects.toMatchObject(taken)
    await expect(auth.createToken(admin, { name: ownTerminals, scopes: ['read'] })).rejects.toMatchObject(
      taken,
    )
    await expect(auth.requestPairing(named, '192.0.2.1')).rejects.toMatchObject(taken)
    const { code } = await auth.createSignInCode(['read'])
    await expect(auth.redeem({ code, ...named }, '192.0.2.1')).rejects.toMatchObject(taken)
    expect((await auth.redeem({ code, ...named }, 'local')).token.name).toBe(ownTerminals)
  })

  it('mark the one that asks', async () => {
    const first = await signIn(all)
    await signIn(['read'])
    const list = await auth.listTokens(await actorOf(first.secret))
    expect(list.map((token) => token.current)).toEqual([true, undefined])
  })

  it('are nobody else’s to see, rename or revoke', async () => {
    const { token } = await signIn(all)
    const { code } = await auth.createSignInCode(all, { principal: 'guest' })
    const guests = await auth.redeem({ code, name: 'tablet', kind: 'browser' }, 'x')
    const guest = await actorOf(guests.secret)
    expect(guest.principal).toBe('guest')
    expect((await auth.listTokens(guest)).map(({ id }) => id)).toEqual([guests.token.id])
    await expect(auth.renameToken(guest, token.id, 'mine')).rejects.toMatchObject({ code: 'not_found' })
    await expect(auth.revokeToken(guest, token.id)).rejects.toMatchObject({ code: 'not_found' })
    expect(tokens.rows.get(token.id)).toMatchObject({ name: 'a browser' })
    expect(tokens.rows.get(token.id)).not.toHaveProperty('revoked_at')
    const handedOn = await auth.createCode(guest, ['read'])
    const phone = await auth.redeem({ code: handedOn.code, name: 'phone', kind: 'browser' }, 'x')
    expect(phone.token.principal).toBe('guest')
  })
})

describe('scopes', () => {
  it('cannot be minted by a token that lacks them', async () => {
    const actor = await actorOf((await signIn(['read', 'chat', 'admin'])).secret)
    await expect(auth.createToken(actor, { name: 'x', scopes: ['approve'] })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(auth.createCode(actor, ['read', 'approve'])).rejects.toMatchObject({ code: 'forbidden' })
    expect(tokens.rows.size).toBe(1)
  })

  it('of a code are those of its maker unless fewer are asked for', async () => {
    const actor = await actorOf((await signIn(['read', 'approve'])).secret)
    expect((await auth.createCode(actor, undefined)).scopes).toEqual(['read', 'approve'])
    const { code } = await auth.createCode(actor, ['read'])
    const { token } = await auth.redeem({ code, name: 'phone', kind: 'browser' }, 'x')
    expect(token.scopes).toEqual(['read'])
  })

  it.each([
    ['terminal', ['read', 'approve'], 12 * 3_600_000],
    ['terminal', ['admin'], 12 * 3_600_000],
    ['terminal', ['read', 'chat'], 90 * 86_400_000],
    ['browser', ['read', 'approve'], 90 * 86_400_000],
  ] as const)('a %s with %j has its time', async (kind, scopes, lifetime) => {
    const { token } = await signIn([...scopes], kind)
    expect(Date.parse(token.expires_at ?? '') - Date.parse(token.created_at)).toBe(lifetime)
  })
})

describe('codes', () => {
  it('work once', async () => {
    const { code } = await auth.createSignInCode(all)
    await auth.redeem({ code, name: 'x', kind: 'browser' }, 'x')
    await expect(auth.redeem({ code, name: 'x', kind: 'browser' }, 'x')).rejects.toMatchObject({
      code: 'gone',
    })
    expect(tokens.rows.size).toBe(1)
  })

  it('work once when they are sent twice at the same time', async () => {
    const { code } = await auth.createSignInCode(all)
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => auth.redeem({ code, name: 'x', kind: 'browser' }, 'x')),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })

  it('last ten minutes', async () => {
    const early = await auth.createSignInCode(all)
    const late = await auth.createSignInCode(all)
    expect(Date.parse(early.expires_at) - clock.now()).toBe(600_000)
    clock.advance(599_999)
    await auth.redeem({ code: early.code, name: 'x', kind: 'browser' }, 'x')
    clock.advance(1)
    await expect(auth.redeem({ code: late.code, name: 'x', kind: 'browser' }, 'x')).rejects.toMatchObject({
      code: 'gone',
    })
  })

  it('for links hold 128 bits; typed ones may be typed in any way', async () => {
    expect((await auth.createSignInCode(all)).code).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const { code } = await auth.createSignInCode(all, { typed: true })
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    const typed = ` ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`
    expect((await auth.redeem({ code: typed, name: 'x', kind: 'terminal' }, 'x')).token.scopes).toEqual(all)
  })

  it('that are typed rest after too many wrong guesses; links do not', async () => {
    const typed = await auth.createSignInCode(all, { typed: true })
    const link = await auth.createSignInCode(all)
    for (let guess = 0; guess < 50; guess++) {
      await expect(
        auth.redeem({ code: `00000-${String(guess).padStart(5, '0')}`, name: 'x', kind: 'browser' }, 'x'),
      ).rejects.toMatchObject({ code: 'gone' })
    }
    const attempt = () => auth.redeem({ code: typed.code, name: 'x', kind: 'browser' }, 'x')
    await expect(attempt()).rejects.toMatchObject({ code: 'rate_limited', details: { retry_after: 600 } })
    await auth.redeem({ code: link.code, name: 'x', kind: 'browser' }, 'x')
    clock.advance(600_001)
    const fresh = await auth.createSignInCode(all, { typed: true })
    await auth.redeem({ code: fresh.code, name: 'x', kind: 'browser' }, 'x')
  })

  it('give nothing that outlives the token that made them', async () => {
    const terminal = await signIn(all, 'terminal')
    clock.advance(11 * 3_600_000)
    const { code } = await auth.createCode(await actorOf(terminal.secret), undefined)
    const late = await auth.createCode(await actorOf(terminal.secret), undefined)
    const { token, secret } = await auth.redeem({ code, name: 'phone', kind: 'browser' }, 'x')
    expect(token).toMatchObject({ made_by: terminal.token.id, expires_at: terminal.token.expires_at })
    const grandchild = await auth.createCode(await actorOf(secret), ['read'])
    const { token: last } = await auth.redeem({ code: grandchild.code, name: 'x', kind: 'browser' }, 'x')
    expect(last).toMatchObject({ made_by: token.id, expires_at: terminal.token.expires_at })
    clock.advance(3_600_000 - 300_000)
    const actor = await actorOf(secret)
    const { code: tooLate } = await auth.createCode(actor, undefined)
    clock.advance(300_000)
    for (const each of [tooLate, late.code]) {
      const attempt = auth.redeem({ code: each, name: 'x', kind: 'browser' }, 'x')
      await expect(attempt).rejects.toMatchObject({ code: 'gone' })
    }
  })

  it('of the server itself, and tokens made on purpose, have no maker to end with', async () => {
    const terminal = await signIn(all, 'terminal')
    expect(terminal.token).not.toHaveProperty('made_by')
    const actor = await actorOf(terminal.secret)
    const made = await auth.createToken(actor, { name: 'ci', scopes: ['read'] })
    await auth.revokeToken(actor, terminal.token.id)
    expect(await auth.authenticate(made.secret, 'x')).toBeDefined()
  })

  it('give tokens that are revoked with the one that made them, and so on', async () => {
    const first = await signIn(all)
    const admin = await signIn(all)
    const secrets: string[] = []
    let maker = first.secret
    for (let generation = 0; generation < 3; generation++) {
      const { code } = await auth.createCode(await actorOf(maker), undefined)
      maker = (await auth.redeem({ code, name: 'x', kind: 'browser' }, 'x')).secret
      secrets.push(maker)
      await actorOf(maker)
    }
    const unused = await auth.createCode(await actorOf(maker), undefined)
    const ended: string[] = []
    auth.onRevoked((id) => ended.push(id))
    await auth.revokeToken(await actorOf(admin.secret), first.token.id)
    expect(ended).toHaveLength(4)
    for (const secret of secrets) expect(await auth.authenticate(secret, 'x')).toBeUndefined()
    const attempt = auth.redeem({ code: unused.code, name: 'x', kind: 'browser' }, 'x')
    await expect(attempt).rejects.toMatchObject({ code: 'gone' })
    expect(await auth.authenticate(admin.secret, 'x')).toBeDefined()
  })

  it('give nothing when their maker is revoked while they are redeemed', async () => {
    const maker = await signIn(all)
    const actor = await actorOf(maker.secret)
    const { code } = await auth.createCode(actor, undefined)
    const create = tokens.create.bind(tokens)
    tokens.create = async (token) => {
      await auth.revokeToken(actor, maker.token.id)
      await create(token)
    }
    const attempt = auth.redeem({ code, name: 'x', kind: 'browser' }, 'x')
    await expect(attempt).rejects.toMatchObject({ code: 'gone' })
    expect([...tokens.rows.values()].every(({ revoked_at }) => revoked_at !== undefined)).toBe(true)
  })

  it('die with the token that made them', async () => {
    const { secret, token } = await signIn(all)
    const actor = await actorOf(secret)
    const { code } = await auth.createCode(actor, undefined)
    await auth.revokeToken(actor, token.id)
    await expect(auth.redeem({ code, name: 'x', kind: 'browser' }, 'x')).rejects.toMatchObject({
      code: 'gone',
    })
  })
})

describe('codes where the server has no terminal', () => {
  const given = { code: 'given-4f1d0a6be2c97583b0a1', from: 'environment' as const }
  const redeem = (code: string) => auth.redeem({ code, name: 'a browser', kind: 'browser' }, 'x')

  it('that were given work once, with every right', async () => {
    await auth.acceptGivenCode(given)
    expect((await redeem(given.code)).token).toMatchObject({ scopes: all, principal: 'owner' })
    await expect(redeem(given.code)).rejects.toMatchObject({ code: 'gone' })
  })

  it('that were given are worth nothing once an agent has worked, then and later', async () => {
    await auth.acceptGivenCode(given)
    acted = true
    await expect(redeem(given.code)).rejects.toMatchObject({ code: 'gone' })
    acted = false
    await expect(redeem(given.code)).rejects.toMatchObject({ code: 'gone' })
    expect(tokens.rows.size).toBe(0)
  })

  it('that were given last an hour', async () => {
    await auth.acceptGivenCode(given)
    clock.advance(60 * 60_000)
    await expect(redeem(given.code)).rejects.toMatchObject({ code: 'gone' })
  })

  it('that a terminal asks for work also while agents do, and few are open at once', async () => {
    acted = true
    const codes = []
    for (let n = 0; n < 5; n++) codes.push(await auth.createTerminalCode(n % 2 ? 'link' : 'typed'))
    await expect(auth.createTerminalCode('link')).rejects.toMatchObject({ code: 'rate_limited' })
    // Other ways are not blocked by that.
    expect((await signIn(all)).token.scopes).toEqual(all)
    for (const { code } of codes) expect((await redeem(code)).token.scopes).toEqual(all)
    expect(await auth.createTerminalCode('link')).toHaveProperty('code')
  })

  it('are in the audit log with who asked, or are not shown or taken at all', async () => {
    const details: unknown[] = []
    const audited = auditedAuth(auth, {
      record: async (_actor, action, detail) => void details.push([action, detail]),
    })
    await audited.createTerminalCode('link')
    await audited.acceptGivenCode(given)
    expect(details).toEqual(
      ['terminal', 'environment'].map((asked_by) => ['code_created', { scopes: all, asked_by }]),
    )
    const full = auditedAuth(auth, { record: () => Promise.reject(new Error('disk full')) })
    const other = { ...given, code: 'other-4f1d0a6be2c97583b0a1' }
    await expect(full.createTerminalCode('link')).rejects.toThrow('disk full')
    await expect(full.acceptGivenCode(other)).rejects.toThrow('disk full')
    await expect(redeem(other.code)).rejects.toMatchObject({ code: 'gone' })
  })
})

describe('pairing', () => {
  const asking = { name: 'a phone', kind: 'browser' as const }

  it('signs in with what the confirming token hands on, under its name', async () => {
    const owner = await signIn(all)
    const { code, secret } = await auth.requestPairing(asking, '10.0.0.7')
    expect(await auth.claimPairing(secret, '10.0.0.7')).toEqual({ state: 'pending' })
    const actor = await actorOf(owner.secret)
    const pairing = await auth.getPairing(actor, code)
    expect(pairing).toMatchObject({ ...asking, from: '10.0.0.7', confirmed: false })
    await auth.confirmPairing(actor, code, ['chat', 'read'])
    const claimed = await auth.claimPairing(secret, '10.0.0.7')
    if (claimed.state !== 'confirmed') throw new Error('not confirmed')
    const { token } = claimed
    expect(token).toMatchObject({ ...asking, scopes: ['read', 'chat'], made_by: owner.token.id })
    expect(await actorOf(claimed.secret)).toMatchObject({ principal: 'owner', scopes: ['read', 'chat'] })
    await expect(auth.claimPairing(secret, '10.0.0.7')).rejects.toMatchObject({ code: 'gone' })
    await auth.revokeToken(actor, owner.token.id)
    expect(await auth.authenticate(claimed.secret, 'x')).toBeUndefined()
  })

  it('gives no more than the confirming token has, and for no longer', async () => {
    const phone = await actorOf((await signIn(['read', 'approve'])).secret)
    const { code, secret } = await auth.requestPairing(asking, 'x')
    await expect(auth.confirmPairing(phone, code, ['admin'])).rejects.toMatchObject({ code: 'forbidden' })
    expect(await auth.claimPairing(secret, 'x')).toEqual({ state: 'pending' })
    await auth.confirmPairing(phone, code, undefined)
    expect(await auth.claimPairing(secret, 'x')).toMatchObject({ token: { scopes: ['read', 'approve'] } })

    const terminal = await signIn(all, 'terminal')
    const second = await auth.requestPairing({ name: 'x', kind: 'terminal' }, 'x')
    clock.advance(60_000)
    await auth.confirmPairing(await actorOf(terminal.secret), second.code, undefined)
    const { expires_at } = terminal.token
    expect(await auth.claimPairing(second.secret, 'x')).toMatchObject({ token: { expires_at } })
  })

  it('gives nothing once its confirmer is revoked, also at the last moment', async () => {
    for (const revokedAt of ['before', 'while']) {
      const maker = await signIn(all)
      const actor = await actorOf(maker.secret)
      const { code, secret } = await auth.requestPairing(asking, 'x')
      await auth.confirmPairing(actor, code, undefined)
      if (revokedAt === 'before') {
        await auth.revokeToken(actor, maker.token.id)
        await expect(auth.getPairing(actor, code)).rejects.toMatchObject({ code: 'gone' })
      } else {
        const create = tokens.create.bind(tokens)
        tokens.create = async (token) => {
          await auth.revokeToken(actor, maker.token.id)
          await create(token)
        }
      }
      await expect(auth.claimPairing(secret, 'x')).rejects.toMatchObject({ code: 'gone' })
    }
    expect([...tokens.rows.values()].every(({ revoked_at }) => revoked_at !== undefined)).toBe(true)
  })
  it('is taken back when its confirmation cannot be recorded', async () => {
    const full = auditedAuth(auth, { record: () => Promise.reject(new Error('disk full')) })
    const actor = await actorOf((await signIn(all)).secret)
    const { code, secret } = await full.requestPairing(asking, 'x')
    await expect(full.confirmPairing(actor, code, undefined)).rejects.toThrow('disk full')
    await expect(full.claimPairing(secret, 'x')).rejects.toMatchObject({ code: 'gone' })
  })
})
