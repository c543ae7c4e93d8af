import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLineAsker } from './line-asker.ts'

function setUp() {
  const input = new PassThrough()
  const output = new PassThrough()
  output.setEncoding('utf8')
  const asker = createLineAsker({ input, output, onInterrupt: () => undefined })
  /** Resolves once this was written. */
  const shown = async (text: string) => {
    for (let seen = ''; !seen.includes(text); ) seen += String((await once(output, 'data'))[0])
  }
  return { input, asker, shown }
}

describe('createLineAsker', () => {
  it('answers with the line', async () => {
    const { input, asker, shown } = setUp()
    const answer = asker.ask('Name? ')
    await shown('Name? ')
    input.write('Ada\n')
    expect(await answer).toBe('Ada')
  })

  it('takes nothing as an answer that was typed before the question was shown', async () => {
    const { input, asker, shown } = setUp()
    input.write('y\n')
    const answer = asker.ask('Allow? ')
    await shown('Allow? ')
    input.write('n\n')
    expect(await answer).toBe('n')
  })

  it('answers with nothing when it is taken back, and when the input ends', async () => {
    const { input, asker, shown } = setUp()
    const taken = new AbortController()
    const first = asker.ask('One? ', { signal: taken.signal })
    await shown('One? ')
    taken.abort()
    expect(await first).toBeUndefined()
    const second = asker.ask('Two? ')
    await shown('Two? ')
    input.end()
    expect(await second).toBeUndefined()
  })

  it('shows a question, but not what is typed, where that is hidden', async () => {
    const input = Object.assign(new PassThrough(), { setRawMode: () => undefined })
    const output = Object.assign(new PassThrough().setEncoding('utf8'), { isTTY: true })
    let seen = ''
    output.on('data', (text: string) => {
      seen += text
    })
    const asker = createLineAsker({ input, output, onInterrupt: () => undefined })
    const plain = asker.ask('Name? ')
    while (!seen.includes('Name? ')) await once(output, 'data')
    input.write('Ada\r')
    expect(await plain).toBe('Ada')
    expect(seen).toContain('Ada')
    const answer = asker.ask('Secret? ', { hidden: true })
    while (!seen.includes('Secret? ')) await once(output, 'data')
    input.write('s3cr')
    input.write('et\r')
    expect(await answer).toBe('s3cret')
    expect(seen).toMatch(/Secret\? \n$/)
    expect(seen).not.toContain('s3')
  })
})
