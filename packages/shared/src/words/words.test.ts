import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { render } from './render.ts'
import { say, sayAgain } from './saying.ts'
import { words } from './words.ts'

const packages = new URL('../../../', import.meta.url).pathname
const sourceFiles = (folder: string) =>
  readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|conformance)\.ts$/.test(name))
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(packages, folder, name), 'utf8') }))

const server = sourceFiles('server/src')
const table = Object.entries(words)
/** Of those that are one of a few. */
const samples: Readonly<Record<string, string>> = { folder: 'state', kind: 'tool', scope: 'user' }

describe('the table', () => {
  it('has a name of its own for every sentence, over all areas', () => {
    const areas = sourceFiles('shared/src/words').filter(({ name }) => name.endsWith('-words.ts'))
    const names = areas.flatMap(({ text }) => [...text.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name))
    const twice = names.filter((name, at) => names.indexOf(name) !== at && name && name in words)
    expect(twice).toEqual([])
    for (const [reason] of table) expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  it.each(table)('%s has words, of its parameters alone', (_, word) => {
    const asked: string[] = []
    // Stands for a text, a number or a list.
    const value = Object.assign(['⟨⟩'], { replaceAll: () => '⟨⟩', toString: () => '⟨⟩' })
    const any = new Proxy(
      {},
      {
        get(_target, name) {
          asked.push(String(name))
          return samples[String(name)] ?? value
        },
      },
    )
    const sentence = typeof word === 'string' ? word : String(word(any as never))
    expect(sentence.trim()).not.toBe('')
    expect(sentence).not.toMatch(/undefined|NaN|\[object/)
    const declared =
      typeof word === 'string' ? [] : [...String(word).matchAll(/[{,]\s*(\w+)/g)].map(([, name]) => name)
    for (const name of asked) expect(declared).toContain(name)
  })

  it('has no sentence that the server never says', () => {
    const text = server.map((file) => file.text).join('\n')
    const prefixes = [...text.matchAll(/say\(`(\w+_)\$\{/g)].map(([, prefix = '']) => prefix)
    const unsaid = table
      .map(([reason]) => reason)
      .filter(
        (reason) => !text.includes(`'${reason}'`) && !prefixes.some((prefix) => reason.startsWith(prefix)),
      )
    expect(unsaid).toEqual([])
  })
})

describe('words that are not ours', () => {
  // They take a whole sentence, so they could take any: only these files have one of another program.
  const open = {
    cli_words: [
      'server/src/core/notice.ts',
      'server/src/core/sessions/by-agent.ts',
      'server/src/core/sessions/live-process.ts',
      'server/src/core/status.ts',
    ],
    sign_in_words: ['server/src/core/mcp/sign-in-service.ts'],
  }

  it.each(Object.entries(open))('%s', (reason, files) => {
    const found = server.filter(({ text }) => text.includes(`'${reason}'`)).map(({ name }) => name)
    expect(found.sort()).toEqual(files)
  })
})

describe('a saying', () => {
  it('is the sentence, and what it was made of', () => {
    const saying = say('container_of_workspace_impossible', {
      name: 'box',
      why: say('sandbox_tools_missing', { tools: ['socat'] }),
    })
    expect(saying.message).toBe(
      'The workspace “box” runs in a container, and containers aren’t available here: socat not installed; on Debian, run apt-get install socat.',
    )
    expect(JSON.parse(JSON.stringify(saying.params))).toEqual({
      name: 'box',
      why: { reason: 'sandbox_tools_missing', params: { tools: ['socat'] } },
    })
    expect(sayAgain(JSON.parse(JSON.stringify(saying)))?.message).toBe(saying.message)
  })

  it('is said in the words of any table, sentences within it too', () => {
    const { reason, params } = say('banner_no_sandbox', { why: say('sandbox_switched_off') })
    const other = {
      banner_no_sandbox: ({ why }: { why: string }) => `Ohne Sandkasten: ${why}.`,
      sandbox_switched_off: 'abgeschaltet',
    }
    expect(render(other, { reason, ...(params && { params }) })).toBe('Ohne Sandkasten: abgeschaltet.')
  })

  it.each([
    ['an unknown reason', { reason: 'never_heard' }],
    ['the name of something that every object has', { reason: 'toString' }],
    ['parameters of another version', { reason: 'sandbox_tools_missing', params: { tools: 7 } }],
    ['parameters that are left out', { reason: 'mcp_entry_faults' }],
  ])('of %s has no sentence', (_, said) => {
    expect(render(words, said)).toBeUndefined()
    if (said.reason === 'never_heard') expect(sayAgain(said)).toBeUndefined()
  })
})
