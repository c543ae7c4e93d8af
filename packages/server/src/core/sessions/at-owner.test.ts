/** Servers that share their stores, without a CLI: what becomes of a call whose owner does not answer, or is another by now. */
import { type ParsedBody, say } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guest, owner } from '../../../test/support/actors.ts'
import { FakeAgent } from '../../../test/support/fake-agent.ts'
import { Gate } from '../../../test/support/gate.ts'
import { asks } from '../../../test/support/gateway-fixture.ts'
import { noHooks } from '../../../test/support/no-hooks.ts'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'
import { createSessionService } from '../../../test/support/session-service.ts'
import { createMemoryOwnerSignals } from '../../adapters/memory/memory-owner-signals.ts'
import { createAudit } from '../permissions/audit.ts'
import { createPermissionGateway, type PermissionGateway } from '../permissions/permission-gateway.ts'
import { createRules } from '../permissions/rules.ts'
import type { Coordination, LeaseOwner } from '../ports/coordination.ts'
import { type OwnerSignals, OwnerUnreachableError } from '../ports/owner-signals.ts'
import type { AuditLog, RuleStore } from '../ports/records.ts'
import type { Services } from '../services.ts'
import { atOwner } from './at-owner.ts'

const actor = owner()
const message: ParsedBody<'sendMessage'> = { content: 'hello', delivery: 'queue' }
const allow = { decision: 'allow', scope: 'once' } as const

interface Server {
  owner: LeaseOwner
  rig: SessionRig
  gateway: PermissionGateway
  /** As its clients are offered them. */
  services: Services
  /** Whether it reaches the stores to renew its leases. */
  isCutOff: boolean
  /** Nobody is answered any more. */
  leave(): void
}

let signals: OwnerSignals
/** Between `a` and the owners that it asks; a test may put something there. */
let ask: OwnerSignals['ask']
/** `a` sees that a CLI works on the session, which it did not start. */
let seesCli: boolean
let a: Server
let b: Server
let id: string
const opened: Server[] = []

beforeEach(async () => {
  seesCli = false
  a = await openServer('a')
  b = await openServer('b')
  id = (await b.rig.record()).id
  await b.rig.manager.own(await b.rig.record(), 'a test')
})
afterEach(async () => {
  for (const { leave } of opened) leave()
  await Promise.all(opened.splice(0).map(({ rig }) => rig.manager.stop(0)))
})

async function openServer(name: string): Promise<Server> {
  const ownerId: LeaseOwner = `${name}/1`
  const first = opened[0]?.rig
  const server = { owner: ownerId, isCutOff: false } as Server
  const parts = { owner: ownerId }
  const rig = first
    ? await createSessionRig(
        { ...first, coordination: cuttable(first.coordination, server), agent: new FakeAgent() },
        parts,
      )
    : await createSessionRig(undefined, parts)
  if (!first) signals = createMemoryOwnerSignals(rig.clock)
  ask = signals.ask
  const { manager, coordination } = rig
  const gateway = openGateway(rig)
  const inUseElsewhere = async () => seesCli && name === 'a'
  const local = {
    sessions: createSessionService(rig, { inUseElsewhere }),
    approvals: gateway.approvals,
    mcp: {},
    files: {},
    changes: {},
    auth: {
      createToken() {
        throw new Error('nobody may ask for this')
      },
    },
  } as unknown as Services
  const { services, close } = await atOwner(local, {
    owner: ownerId,
    leases: coordination.leases,
    approvals: coordination.approvals,
    signals: { ...signals, ask: (...asked) => ask(...asked) },
    owns: (sessionId) => manager.peek(sessionId) !== undefined,
  })
  await manager.start()
  Object.assign(server, { rig, gateway, services, leave: close })
  opened.push(server)
  return server
}

/** One that does not reach the stores cannot renew its leases. */
function cuttable(coordination: Coordination, server: Server): Coordination {
  const { leases } = coordination
  return {
    ...coordination,
    leases: {
      ...leases,
      renew: async (...args) => {
        if (server.isCutOff) throw new Error('cut off')
        return leases.renew(...args)
      },
    },
  }
}

function openGateway({ coordination, clock }: SessionRig): PermissionGateway {
  const log = { append: async () => {} } as unknown as AuditLog
  const store = { list: async () => [] } as unknown as RuleStore
  const config = () => ({ rules: [], approvals: { deadlineMinutes: 60 } })
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const publish = () => {}
  const audit = createAudit({ log, clock })
  const rules = createRules({ store, audit, clock, config, publish })
  const { approvals } = coordination
  return createPermissionGateway({
    ...{ approvals, rules, audit, clock, config, publish, logger },
    protectedFolders: [],
  })
}

const silence: OwnerSignals['ask'] = async (to) => {
  throw new OwnerUnreachableError(to)
}
const storedTurns = () => a.rig.coordination.turns.list(id, { limit: 9 })
const ownerOf = async () => (await a.rig.coordination.leases.running([id])).get(id)?.owner

/** Moves the clock on in small steps: what a step begins is over before the next. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    a.rig.clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a message whose owner does not answer', () => {
  it('is the owner’s all the same if only the answer was lost', async () => {
    ask = async (to, ...rest) => {
      await signals.ask(to, ...rest)
      throw new OwnerUnreachableError(to)
    }
    const { turn } = await a.services.sessions.send(actor, id, message)
    expect(await storedTurns()).toMatchObject([{ id: turn.id }])
    expect(await (await b.rig.agent.process(1)).message(1)).toMatchObject({ id: turn.id })
  })

  it('is stored where it arrived, once, and runs when the owner hears of it late', async () => {
    const late: (() => Promise<unknown>)[] = []
    const asked: unknown[] = []
    ask = async (to, request, ms) => {
      asked.push(request)
      late.push(() => signals.ask(to, request, ms))
      throw new OwnerUnreachableError(to)
    }
    const { turn } = await a.services.sessions.send(actor, id, message)
    expect(turn).toMatchObject({ state: 'queued', content: 'hello' })
    expect(asked).toMatchObject([{ args: [actor, id, message, expect.stringMatching(/^sent-on:/)] }])
    expect(await late[0]?.()).toMatchObject({ turn: { id: turn.id } })
    expect(await storedTurns()).toHaveLength(1)
    expect(await (await b.rig.agent.process(1)).message(1)).toMatchObject({ id: turn.id })
  })

  it('waits for the next owner, and runs there once', async () => {
    ask = silence
    const { turn } = await a.services.sessions.send(actor, id, message)
    expect(await ownerOf()).toBe(b.owner)
    b.isCutOff = true
    b.leave()
    await pass(30_000)
    const process = await a.rig.agent.process(1)
    expect(await process.message(1)).toMatchObject({ id: turn.id, content: 'hello' })
    process.run(turn.id)
    await a.rig.next('turn_end', ({ turn_id }) => turn_id === turn.id)
    await pass(30_000)
    expect(await ownerOf()).toBe(a.owner)
    expect(process.sent).toHaveLength(1)
    expect(await storedTurns()).toMatchObject([{ id: turn.id, state: 'ended', outcome: 'completed' }])
    expect(b.rig.agent.processes).toEqual([])
  })

  it('is known by the key that its sender gave it', async () => {
    ask = silence
    const { turn } = await a.services.sessions.send(actor, id, message, 'mine')
    ask = signals.ask
    expect(await a.services.sessions.send(actor, id, message, 'mine')).toMatchObject({
      turn: { id: turn.id },
    })
    await expect(
      a.services.sessions.send(actor, id, { ...message, content: 'other' }, 'mine'),
    ).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  it('is stored also while the owner’s CLI is at work, which is no terminal’s', async () => {
    ask = silence
    seesCli = true
    expect(await a.services.sessions.send(actor, id, message)).toMatchObject({ turn: { state: 'queued' } })
    expect(await storedTurns()).toHaveLength(1)
  })

  it('is stored when the deadline is over', async () => {
    b.leave()
    await signals.serve(b.owner, () => new Promise(() => {}))
    const sending = a.services.sessions.send(actor, id, message)
    await pass(35_000)
    expect(await sending).toMatchObject({ turn: { state: 'queued' } })
  })

  it('is stored when the owner is about to stop, and runs here then', async () => {
    const stopping = b.rig.manager.stop(0)
    const { turn } = await a.services.sessions.send(actor, id, message)
    await pass(1000)
    await stopping
    await pass(15_000)
    expect(await (await a.rig.agent.process(1)).message(1)).toMatchObject({ id: turn.id })
  })
})

describe('what is not stored for an owner that may be gone', () => {
  it('fails, and says what to do', async () => {
    ask = silence
    const calls = [
      a.services.sessions.stop(actor, id),
      a.services.sessions.change(actor, id, { title: 'Another' }),
      a.services.sessions.interrupt(actor, id, { cancel_queued: false, hold_queued: true }),
    ]
    for (const call of calls)
      await expect(call).rejects.toMatchObject({
        code: 'unavailable',
        message: /isn’t responding\. Try again/,
      })
    expect(await b.services.sessions.get(actor, id)).not.toMatchObject({ title: 'Another' })
    expect(await ownerOf()).toBe(b.owner)
  })

  it('is the answer to an approval, which waits on', async () => {
    const session = b.gateway.openFor({
      sessionId: id,
      epoch: b.rig.manager.peek(id)?.grant.epoch ?? 0,
      cwd: '/projects',
      principal: actor.principal,
      workspace: undefined,
      profileRules: [],
      unattended: () => false,
      folderConfirmed: () => true,
      turnId: () => undefined,
      permissionMode: () => 'default',
      hooks: noHooks(),
      emit() {},
    })
    const answered = session.onPermission(asks('Bash', { command: 'npm test' }))
    const pending = async () =>
      (await a.services.approvals.list(actor, { state: 'pending', limit: 9 })).approvals
    await expect.poll(pending).toHaveLength(1)
    const [approval] = await pending()
    const answer = () => a.services.approvals.answer(actor, approval?.id ?? '', allow)
    ask = silence
    await expect(answer()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await pending()).toEqual([approval])
    ask = signals.ask
    expect(await answer()).toMatchObject({ state: 'allowed' })
    expect(await answered).toMatchObject({ behavior: 'allow' })
  })
})

describe('a session that moves while its owner is asked', () => {
  it('is asked for again at its new owner', async () => {
    const c = await openServer('c')
    const asked: LeaseOwner[] = []
    ask = async (to, ...rest) => {
      asked.push(to)
      if (asked.length === 1) {
        await b.rig.manager.letGo(id, say('cli_words', { text: 'a test' }))
        await c.rig.manager.own(await c.rig.record(), 'a test')
      }
      return signals.ask(to, ...rest)
    }
    const { turn } = await a.services.sessions.send(actor, id, message)
    expect(asked).toEqual([b.owner, c.owner])
    expect(await (await c.rig.agent.process(1)).message(1)).toMatchObject({ id: turn.id })
    expect(await storedTurns()).toHaveLength(1)
  })

  it('is done here when nobody has it any more', async () => {
    let asked = 0
    ask = async (...request) => {
      asked += 1
      await b.rig.manager.letGo(id, say('cli_words', { text: 'a test' }))
      return signals.ask(...request)
    }
    expect(await a.services.sessions.change(actor, id, { title: 'Here' })).toMatchObject({ title: 'Here' })
    expect(asked).toBe(1)
  })

  it('is waited for by the owner that is about to have it', async () => {
    await b.rig.manager.letGo(id, say('cli_words', { text: 'a test' }))
    const record = await b.rig.record()
    const { sessions } = b.rig
    const { get } = sessions
    const gate = new Gate()
    // The lease is taken; what the session is, is still being read.
    sessions.get = async (...args) => {
      sessions.get = get
      await gate.opened
      return get(...args)
    }
    const owning = b.rig.manager.own(record, 'a test')
    await expect.poll(ownerOf).toBe(b.owner)
    const sending = a.services.sessions.send(actor, id, message)
    await pass(1000)
    gate.open()
    const { turn } = await sending
    await owning
    expect(await (await b.rig.agent.process(1)).message(1)).toMatchObject({ id: turn.id })
    expect(a.rig.faults).toEqual([])
  })

  it('is not asked for for ever, and loses no message', async () => {
    let asked = 0
    b.leave()
    await signals.serve(b.owner, async () => {
      asked += 1
      // As one that never heard of it.
      return signals.ask(a.owner, { service: 'sessions', method: 'stop', args: [actor, id] }, 1000)
    })
    await expect(a.services.sessions.stop(actor, id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Another server is running this session now.',
    })
    expect(asked).toBe(3)
    expect(await a.services.sessions.send(actor, id, message)).toMatchObject({ turn: { state: 'queued' } })
  })
})

describe('an owner that is asked', () => {
  const asked = (request: unknown) => signals.ask(b.owner, request, 1000)

  it.each<[string, unknown]>([
    ['another service', { service: 'auth', method: 'createToken', args: [actor, {}] }],
    ['another method', { service: 'sessions', method: 'list', args: [actor, {}] }],
    ['what every service has', { service: 'sessions', method: 'constructor', args: [actor, 'x'] }],
    ['what every object has', { service: 'constructor', method: 'constructor', args: ['return 1'] }],
    ['no arguments', { service: 'sessions', method: 'stop' }],
    ['a service that is no name', { service: ['sessions'], method: 'stop', args: [actor, 'x'] }],
    ['a word', 'stop'],
    ['nothing', null],
  ])('makes no call outside its table: %s', async (_what, request) => {
    await expect(asked(request)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('makes none for a session that it does not have', async () => {
    await b.rig.manager.letGo(id, say('cli_words', { text: 'a test' }))
    await expect(asked({ service: 'sessions', method: 'stop', args: [actor, id] })).rejects.toMatchObject({
      code: 'conflict',
      details: { owner: 'moved' },
    })
  })

  it('makes it for the actor that it names, and for nobody else', async () => {
    await expect(a.services.sessions.stop(guest, id)).rejects.toMatchObject({ code: 'not_found' })
    expect(b.rig.manager.peek(id)?.closing).toBe(false)
    await a.services.sessions.stop(actor, id)
    expect(await ownerOf()).toBeUndefined()
  })

  it('takes what was left out for left out', async () => {
    const { sessions } = a.services
    await sessions.send(actor, id, { ...message, content: 'runs' })
    await (await b.rig.agent.process(1)).message(1)
    const first = await sessions.send(actor, id, { ...message, content: 'first' })
    await sessions.send(actor, id, { ...message, content: 'second' })
    await sessions.moveMessage(actor, id, first.turn.id, undefined)
    expect((await b.rig.coordination.turns.queued(id)).map(({ content }) => content)).toEqual([
      'second',
      'first',
    ])
  })
})
