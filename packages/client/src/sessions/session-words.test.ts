import { describe, expect, it } from 'vitest'
import { markHits } from './mark-hits.ts'
import { sampleSession } from './sample-session.ts'
import { exportFileName } from './session-actions.ts'
import { markOf } from './session-mark.ts'
import { withoutSession, withSession } from './session-pages.ts'
import { sessionTitle } from './session-title.ts'

describe('sessionTitle', () => {
  it('is the title, else how it began, else a word', () => {
    expect(sessionTitle({ title: 'One', first_prompt: 'two' })).toBe('One')
    expect(sessionTitle({ title: ' ', first_prompt: 'two\n\n three' })).toBe('two three')
    expect(sessionTitle({})).toBe('New session')
  })

  it('cannot deceive', () => {
    expect(sessionTitle({ title: 'safe\u202egnp.exe\u0000\u200b\u001b[31m' })).toBe('safe gnp.exe [31m')
    expect(sessionTitle({ title: 'x'.repeat(100_000) }).length).toBe(200)
    expect(sessionTitle({ title: '\u202e\u200b' })).toBe('New session')
  })
})

describe('exportFileName', () => {
  it('is safe on every file system', () => {
    expect(exportFileName({ id: 'i', title: '../../etc/passwd: “a” <b>|?*' }, 'markdown')).toBe(
      'etc-passwd-a-b.md',
    )
    expect(exportFileName({ id: 'i', title: '...' }, 'json')).toBe('i.json')
    expect(exportFileName({ id: 'i', title: 'Ünïcode 文' }, 'markdown')).toMatch(/^u.*文\.md$/)
    expect(exportFileName({ id: 'i', title: 'x'.repeat(500) }, 'json').length).toBe(65)
  })
})

describe('markOf', () => {
  it('says what matters most', () => {
    expect(markOf(sampleSession({ state: 'waiting' }), true)).toBe('needs-you')
    expect(markOf(sampleSession({ state: 'working', pending_approvals: 1 }), false)).toBe('needs-you')
    expect(markOf(sampleSession({ state: 'working' }), true)).toBe('working')
    expect(markOf(sampleSession({ state: 'failed' }), true)).toBe('failed')
    expect(markOf(sampleSession({ state: 'interrupted' }), false)).toBe('interrupted')
    expect(markOf(sampleSession({ state: 'paused' }), false)).toBe('paused')
    expect(markOf(sampleSession(), true)).toBe('unread')
    expect(markOf(sampleSession(), false)).toBe('idle')
  })
})

describe('markHits', () => {
  const marked = (snippet: string, query: string) =>
    markHits(snippet, query)
      .map(({ text, hit }) => (hit ? `[${text}]` : text))
      .join('')

  it('marks every word, whatever its case', () => {
    expect(marked('The Parser parses', 'parse')).toBe('The [Parse]r [parse]s')
    expect(marked('one two one', 'TWO "one"')).toBe('[one] [two] [one]')
  })

  it('takes no word for a pattern, and changes nothing of the text', () => {
    expect(marked('a.c abc', 'a.c')).toBe('[a].[c] [a]b[c]')
    expect(marked('(x', '(((')).toBe('(x')
    expect(marked('', 'x')).toBe('')
    expect(marked('ab', 'a ab')).toBe('[ab]')
    const text = '<b>bold</b> “q” \u202e x'
    expect(
      markHits(text, 'b x bold')
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })
})

describe('pages of the list', () => {
  const pages = {
    pages: [
      { sessions: [sampleSession({ id: 'a' })], cursor: 'c' },
      { sessions: [sampleSession({ id: 'b' })] },
    ],
    pageParams: [undefined, 'c'],
  }
  const ids = (some: typeof pages) => some.pages.map((page) => page.sessions.map(({ id }) => id))

  it('replaces a session in its place, and puts a new one first', () => {
    const changed = withSession(pages, sampleSession({ id: 'b', title: 'x' }))
    expect(changed.pages[1]?.sessions[0]?.title).toBe('x')
    expect(ids(changed as typeof pages)).toEqual([['a'], ['b']])
    expect(ids(withSession(pages, sampleSession({ id: 'n' })) as typeof pages)).toEqual([['n', 'a'], ['b']])
  })

  it('takes one out', () => {
    expect(ids(withoutSession(pages, 'a') as typeof pages)).toEqual([[], ['b']])
  })
})
