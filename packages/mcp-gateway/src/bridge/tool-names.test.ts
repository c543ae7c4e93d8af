import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullToolName, offeredNameFault, offerToolNames } from './tool-names.ts'

const server = 'files'
const names = (...tools: string[]) => Object.fromEntries(offerToolNames(server, tools).offered)
const toolName = fc.oneof(
  fc.stringMatching(/^[ab_.-]{1,4}$/),
  fc.stringMatching(/^[A-Za-z0-9_.-]{40,128}$/),
  fc.constantFrom('x'.repeat(53), 'x'.repeat(54), `${'x'.repeat(53)}.`, `${'x'.repeat(53)}_`),
)

describe('names of tools', () => {
  it('stay as they are where the model can have them so', () => {
    expect(names('read_file', 'Read-2', 'x'.repeat(52))).toEqual({
      read_file: 'read_file',
      'Read-2': 'Read-2',
      ['x'.repeat(52)]: 'x'.repeat(52),
    })
  })

  it('have _ for a dot, as Claude Code does it', () => {
    expect(names('a.b')).toEqual({ 'a.b': 'a_b' })
  })

  it('are cut and hashed where they are too long, each in its own way', () => {
    const a = `${'x'.repeat(60)}a`
    const b = `${'x'.repeat(60)}b`
    const { [a]: forA = '', [b]: forB = '' } = names(a, b)
    expect(forA).toMatch(/^x{43}_[0-9a-f]{8}$/)
    expect(fullToolName(server, forA)).toHaveLength(64)
    expect(forB).not.toBe(forA)
    expect(names(a)[a]).toBe(forA)
  })

  it('differ where Claude Code would make two tools one', () => {
    const both = names('a.b', 'a_b')
    expect(both.a_b).toBe('a_b')
    expect(both['a.b']).toMatch(/^a_b_[0-9a-f]{8}$/)
    const dotted = names('a.b_c', 'a_b.c')
    expect(dotted['a.b_c']).toMatch(/^a_b_c_[0-9a-f]{8}$/)
    expect(dotted['a_b.c']).toMatch(/^a_b_c_[0-9a-f]{8}$/)
  })

  it('do not meet a tool that was named for the hash of another', () => {
    const long = 'y'.repeat(70)
    const { [long]: hashed = '' } = names(long)
    const both = names(long, hashed)
    expect(both[hashed]).toBe(hashed)
    expect(both[long]).not.toBe(hashed)
  })

  it('are unique, short and lead back, whatever the tools and their order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(toolName, { maxLength: 30 }), (tools) => {
        const { offered, original } = offerToolNames(server, tools)
        expect(offered.size).toBe(tools.length)
        expect(original.size).toBe(tools.length)
        for (const tool of tools) {
          const name = offered.get(tool) ?? ''
          expect(original.get(name)).toBe(tool)
          expect(fullToolName(server, name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        }
        expect(new Map([...offerToolNames(server, tools.toReversed()).offered].sort())).toEqual(
          new Map([...offered].sort()),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('do not change when another tool appears, unless it would have the same', () => {
    fc.assert(
      fc.property(fc.uniqueArray(toolName, { minLength: 2, maxLength: 20 }), ([late = '', ...tools]) => {
        const before = offerToolNames(server, tools)
        const after = offerToolNames(server, [...tools, late])
        const normal = late.replace(/[^a-zA-Z0-9_-]/g, '_')
        for (const tool of tools) {
          if (after.offered.get(tool) === before.offered.get(tool)) continue
          expect(before.offered.get(tool)).toBe(normal)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('names of servers', () => {
  it.each([
    ['', /needs a name/],
    ['s'.repeat(42), /too long: with at most 41 characters/],
    ['a__b', /two underscores/],
    ['a: b', /'a__b' to the model/],
    ['a_', /at its end/],
    ['a.', /at its end/],
  ])('%j is refused', (name, fault) => {
    expect(offeredNameFault(name)).toMatch(fault)
    expect(() => offerToolNames(name, ['x'])).toThrow(fault)
  })

  it.each(['files', 'plugin:p1:e', 'a-b.c', '_a', 's'.repeat(41)])('%j is taken', (name) => {
    expect(offeredNameFault(name)).toBeUndefined()
    const [full = ''] = [...offerToolNames(name, ['x'.repeat(128)]).offered.values()].map((tool) =>
      fullToolName(name, tool),
    )
    expect(full.length).toBe(64)
  })
})
