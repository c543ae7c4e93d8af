import { describe, expect, it } from 'vitest'
import { type Entry, EntryMaker } from '../../test/transcript-fixture.ts'
import { messageChain } from './message-chain.ts'
import { linkOf } from './transcript-link.ts'

const make = new EntryMaker()
const { user, assistant, toolUse, toolResult, entry } = {
  user: make.user.bind(make),
  assistant: make.assistant.bind(make),
  toolUse: make.toolUse.bind(make),
  toolResult: make.toolResult.bind(make),
  entry: make.entry.bind(make),
}

function chain(entries: readonly Entry[], throughCompactions = false): string {
  const links = entries.map((item) => {
    const bytes = Buffer.from(JSON.stringify(item))
    return linkOf({ bytes, offset: 0, length: bytes.length, terminated: true })
  })
  const known = links.filter((link) => link !== undefined)
  return messageChain(known, { throughCompactions })
    .map((link) => make.key(link.uuid))
    .join(' ')
}

describe('messageChain', () => {
  it('follows the parents of the last leaf and leaves abandoned branches out', () => {
    const first = [user('a'), assistant('b', 'a'), user('c', 'b'), assistant('d', 'c')]
    expect(chain(first)).toBe('a b c d')
    expect(chain([...first, user('e', 'b'), assistant('f', 'e')])).toBe('a b e f')
  })

  it('takes the last leaf in the file, whatever the times say and whatever the leaf is', () => {
    const late = { timestamp: '2030-01-01T00:00:00.000Z' }
    const branches = [user('a'), assistant('b', 'a'), user('c', 'b', late), user('e', 'b')]
    expect(chain(branches)).toBe('a b e')
    expect(chain([...branches, entry('attachment', 'g', 'c')])).toBe('a b c g')
  })

  it('puts the results of parallel tool calls back in', () => {
    const calls = [user('a'), toolUse('t1', 'a', 'm', '1'), toolUse('t2', 't1', 'm', '2')]
    const [r1, r2] = [toolResult('r1', 't1', '1'), toolResult('r2', 't2', '2')]
    expect(chain([...calls, r1, r2, assistant('z', 'r2')])).toBe('a t1 t2 r1 r2 z')
    expect(chain([...calls, r2, r1, assistant('z', 'r1')])).toBe('a t1 t2 r2 r1 z')
    expect(chain([...calls, r1])).toBe('a t1 t2 r1')
  })

  it('puts results in the order of the file after the last block of their message', () => {
    const calls = [
      user('a'),
      toolUse('t1', 'a', 'm', '1'),
      toolUse('t2', 't1', 'm', '2'),
      toolUse('t3', 't2', 'm', '3'),
    ]
    const results = [toolResult('r2', 't2', '2'), toolResult('r1', 't1', '1'), toolResult('r3', 't3', '3')]
    expect(chain([...calls, ...results, assistant('z', 'r3')])).toBe('a t1 t2 t3 r2 r1 r3 z')
  })

  it('does not answer a tool call twice', () => {
    const entries = [
      user('a'),
      toolUse('t1', 'a', 'm', '1'),
      toolResult('old', 't1', '1'),
      toolResult('new', 't1', '1'),
    ]
    expect(chain([...entries, assistant('z', 'new')])).toBe('a t1 new z')
  })

  it('leaves subagents, notes and unlinked entries out, and goes through unknown types', () => {
    const side = { isSidechain: true }
    expect(chain([user('a'), assistant('b', 'a'), user('s', null, side), assistant('t', 's', side)])).toBe(
      'a b',
    )
    expect(chain([user('a'), { type: 'custom-title', customTitle: 'x', uuid: make.id('n') }])).toBe('a')
    expect(chain([user('a'), entry('new-in-2030', 'q', 'a'), assistant('b', 'q')])).toBe('a q b')
  })

  it('begins at the last compaction, with the messages that it kept', () => {
    const kept = { preservedMessages: { anchorUuid: make.id('sum'), uuids: [make.id('b')] } }
    const boundary = entry('system', 'cut', null, {
      subtype: 'compact_boundary',
      logicalParentUuid: make.id('b'),
      compactMetadata: kept,
    })
    const entries = [user('a'), assistant('b', 'a'), boundary, user('sum', 'cut'), user('c', 'sum')]
    expect(chain(entries)).toBe('cut sum b c')
    expect(chain(entries, true)).toBe('a b cut sum c')
  })

  it('survives missing parents, cycles, doubles and nothing at all', () => {
    expect(chain([user('a'), user('c', 'gone'), assistant('d', 'c')])).toBe('c d')
    expect(chain([user('a', 'b'), assistant('b', 'a')])).toBe('a b')
    expect(chain([user('a'), assistant('b', 'a'), user('a'), assistant('b', 'a'), user('c', 'b')])).toBe(
      'a b c',
    )
    expect(chain([])).toBe('')
  })
})
