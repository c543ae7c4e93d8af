import { type NewEvent, type Session, type StreamEvent, say } from '@dorkos/shared'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../ports/transcripts.ts'
import { exportFileName, renderJson } from './render-export.ts'
import { renderHtml } from './render-html.ts'
import { renderMarkdown } from './render-markdown.ts'
import type { ResultPart } from './whole-result.ts'

const session: Session = {
  id: '01234567-0000-4000-8000-000000000000',
  title: 'Fix the <b>build</b>',
  cwd: '/projects',
  origin: 'dorkos',
  state: 'idle',
  live: false,
  permission_mode: 'default',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  archived: false,
  pinned: false,
  unattended: false,
  demo: false,
  cli_session_ids: [],
  pending_approvals: 0,
  queued_messages: 0,
}
const stamped = (events: NewEvent[]): StreamEvent[] =>
  events.map(
    (event, index) =>
      ({
        id: `1-${index + 1}`,
        session: session.id,
        time: '2026-01-01T10:30:00.000Z',
        ...event,
      }) as StreamEvent,
  )

async function collect(parts: AsyncIterable<string>): Promise<string> {
  let whole = ''
  for await (const part of parts) whole += part
  return whole
}
/** Nothing was cut. */
const whole = async () => undefined
const markdown = (events: NewEvent[]) => collect(renderMarkdown(session, stamped(events), whole))
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Bytes that come a few at a time. */
function pieces(bytes: Buffer, size: number): ByteSource {
  return {
    bytes: bytes.length,
    async *read(start = 0, end = bytes.length) {
      for (let at = start; at < end; at += size) yield bytes.subarray(at, Math.min(at + size, end))
    },
  }
}
const parts: ResultPart[] = [
  { kind: 'text', source: pieces(Buffer.from('all ```'), 2) },
  { kind: 'missing', what: 'rest', saying: say('cli_words', { text: 'the rest is gone' }) },
]
const call = (id: string, input: Record<string, unknown> = { command: 'ls' }): NewEvent => ({
  type: 'tool_call_end',
  tool_call_id: id,
  name: 'Bash',
  input,
})
const result = (id: string, text: string, is_error = false): NewEvent => ({
  type: 'tool_result',
  tool_call_id: id,
  content: [{ type: 'text', text }],
  is_error,
})
const says = (text: string, index = 0): NewEvent => ({ type: 'text_delta', message_id: 'm', index, text })

describe('Markdown', () => {
  it('reads as the conversation went', async () => {
    const text = await markdown([
      { type: 'turn_start', turn_id: 't', cause: 'message' },
      { type: 'user_message', message_id: 'u', content: 'Please **look**' },
      { type: 'thinking_delta', message_id: 'm', index: 0, text: 'hm' },
      says('I ', 1),
      says('look.', 1),
      call('a'),
      call('b'),
      result('b', 'second'),
      result('a', 'first', true),
      says('Done.', 2),
      { type: 'turn_end', turn_id: 't', outcome: 'completed' },
    ])
    expect(text).toBe(`# Fix the &lt;b&gt;build&lt;/b&gt;

Session \`${session.id}\`, in /projects, from 2026-01-01T00:00:00.000Z.

## 2026-01-01 10:30 UTC

Please **look**

---

<details>
<summary>Thinking</summary>

\`\`\`
hm
\`\`\`

</details>

I look.

<details>
<summary>Tool: Bash</summary>

Input

\`\`\`json
{
  "command": "ls"
}
\`\`\`

Output

\`\`\`
second
\`\`\`

</details>

<details>
<summary>Tool: Bash — ❌ failed</summary>

Input

\`\`\`json
{
  "command": "ls"
}
\`\`\`

Output

\`\`\`
first
\`\`\`

</details>

Done.

`)
  })

  it('marks what was denied, what has no result, and how a turn ended', async () => {
    const text = await markdown([
      call('a'),
      {
        type: 'approval_resolved',
        approval_id: 'apr_00000000',
        tool_call_id: 'a',
        state: 'denied',
        message: 'not <today>',
      },
      result('a', 'not today', true),
      call('b'),
      { type: 'turn_end', turn_id: 't', outcome: 'interrupted', reason: 'by a person' },
    ])
    expect(text).toContain('<summary>Tool: Bash — ⛔ denied: not &lt;today&gt;</summary>')
    expect(text).toContain('<summary>Tool: Bash — ⚠ no result</summary>')
    expect(text).toContain('**Interrupted**: by a person')
  })

  it('keeps tool output inside its fence, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('`', '```', '\n', 'x', '</details>', '~~~', '````\n'), { maxLength: 20 }),
        async (parts) => {
          const output = parts.join('')
          const text = await markdown([call('a', { command: output }), result('a', output)])
          // As a reader of Markdown does: a fence ends at the first line of at least as many backticks alone.
          const lines = text.split('\n')
          const outside: string[] = []
          let fence: string | undefined
          for (const line of lines) {
            const ticks = /^(`{3,})/.exec(line)?.[1]
            if (fence === undefined && ticks !== undefined) fence = ticks
            else if (fence !== undefined && new RegExp(`^\`{${fence.length},}$`).test(line)) fence = undefined
            else if (fence === undefined) outside.push(line)
          }
          expect(fence).toBeUndefined()
          expect(outside.filter((line) => line === '</details>')).toHaveLength(1)
        },
      ),
    )
  })

  it('has pictures where they were, names what is none, and says what is gone in its place', async () => {
    const image = (data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    })
    const said: NewEvent = {
      type: 'user_message',
      message_id: 'u',
      content: [{ type: 'text', text: 'Look:' }, image(png)],
    }
    const content = [image(png), image('AAAA'), { type: 'resource_link', name: 'x' }]
    const found: NewEvent = { type: 'tool_result', tool_call_id: 'a', content, is_error: false }
    const text = await markdown([said, found])
    expect(text.split(`![picture](data:image/png;base64,${png})`)).toHaveLength(3)
    expect(text).toContain('\n\\[image image/png\\]\n')
    expect(text).toContain('\n\\[resource\\_link\\]\n')
    const cut = await collect(renderMarkdown(session, stamped([found]), async () => parts))
    expect(cut).toContain('````\nall ```\n````\n')
    expect(cut).toContain('\n*⚠ the rest is gone*\n')
    expect(cut).not.toContain('image')
  })
})

describe('JSON', () => {
  it('is one document', async () => {
    const events = stamped([says('a'), says('b')])
    expect(JSON.parse(await collect(renderJson(session, events, whole)))).toEqual({ session, events })
    expect(JSON.parse(await collect(renderJson(session, [], whole)))).toEqual({ session, events: [] })
  })

  it('has what was cut whole, as blocks, and what is gone as one', async () => {
    const events = stamped([{ ...result('a', 'al'), omitted_bytes: 5 } as NewEvent])
    const picture: ResultPart = {
      kind: 'picture',
      mediaType: 'image/png',
      source: pieces(Buffer.from(png, 'base64'), 4),
    }
    const json = await collect(renderJson(session, events, async () => [...parts, picture]))
    const { omitted_bytes: _, ...event } = events[0] as StreamEvent & { omitted_bytes: number }
    const content = [
      { type: 'text', text: 'all ```' },
      { type: 'missing', text: 'the rest is gone' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    ]
    expect(JSON.parse(json)).toEqual({ session, events: [{ ...event, content }] })
  })

  it('keeps every character, wherever a text is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 7 }),
        async (text, size) => {
          const source = pieces(Buffer.from(text), size)
          const json = await collect(
            renderJson(session, stamped([result('a', '')]), async () => [{ kind: 'text', source }]),
          )
          expect(JSON.parse(json).events[0].content).toEqual([{ type: 'text', text }])
        },
      ),
    )
  })
})

describe('a file name', () => {
  it('comes from the title, and is harmless', () => {
    const name = (title: string | undefined) => exportFileName({ ...session, title }, 'markdown')
    expect(name('Fix the build: café')).toBe('Fix-the-build-cafe.md')
    expect(name('../../etc/passwd')).toBe('etc-passwd.md')
    expect(name('nul')).toBe('session-01234567.md')
    expect(name('日本')).toBe('session-01234567.md')
    expect(exportFileName({ id: session.id, first_prompt: 'go on' }, 'json')).toBe('go-on.json')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 90 }), (title) => {
        expect(name(title)).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,70}\.md$/)
        expect(name(title)).not.toContain('..')
      }),
    )
  })
})

describe('HTML', () => {
  const html = (events: NewEvent[], of = whole as Parameters<typeof renderHtml>[2]) =>
    collect(renderHtml(session, stamped(events), of))

  it('reads as the conversation went, and names no folder of the machine', async () => {
    const page = await html([
      { type: 'user_message', message_id: 'u', content: 'Please look' },
      says('It is **done**: [docs](https://example.com/a)'),
      call('c'),
      result('c', 'no such file', true),
      { type: 'turn_end', turn_id: 't', outcome: 'interrupted', reason: 'a person' } as NewEvent,
    ])
    expect(page).toContain('<title>Fix the &lt;b&gt;build&lt;/b&gt;</title>')
    expect(page).toContain('<pre>Please look</pre>')
    expect(page).toContain('<strong>done</strong>')
    expect(page).toContain('<a href="https://example.com/a" rel="noopener noreferrer nofollow">docs</a>')
    expect(page).toContain('<summary>Bash <b>failed</b></summary>')
    expect(page).toContain('Interrupted: a person')
    expect(page).not.toContain('/projects')
  })

  it('runs and loads nothing, whatever was written', async () => {
    const hostile = [
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
      '[a](javascript:alert(1)) ![b](https://evil.example/pixel.png) <https://ok.example>',
      '[c](https://x.example/"onmouseover="alert(1))',
      '```html\n</pre></details><script>alert(2)</script>\n```',
    ].join('\n\n')
    const page = await html([
      { type: 'user_message', message_id: 'u', content: hostile },
      says(hostile),
      { type: 'thinking_delta', message_id: 'm', index: 1, text: hostile },
      call('c', { command: hostile }),
      result('c', hostile),
      { type: 'error', message: hostile } as NewEvent,
    ])
    const tags = [...page.matchAll(/<([a-z]+)([^>]*)>/gi)].map(([, name = '', rest = '']) => ({ name, rest }))
    expect(
      tags.filter(({ name }) => /^(?:script|img|iframe|object|link|base|form|svg)$/i.test(name)),
    ).toEqual([])
    expect(tags.filter(({ rest }) => /\son\w+=/i.test(rest.replace(/"[^"]*"/g, '""')))).toEqual([])
    expect(page).not.toMatch(/href="(?!https:\/\/(?:ok|x)\.example)/)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`)
  })

  it('masks what looks like a secret, wherever it was said', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const line = `export GITHUB_TOKEN=${secret} and Authorization: Bearer ${secret}`
    const page = await html([
      { type: 'user_message', message_id: 'u', content: line },
      says(`I used \`${secret}\`.`),
      { type: 'thinking_delta', message_id: 'm', index: 1, text: line },
      call('c', { command: `curl -H "Authorization: Bearer ${secret}" --token ${secret}` }),
      result('c', line),
      { type: 'error', message: line } as NewEvent,
    ])
    expect(page).not.toContain(secret)
  })

  it('has pictures in it, folds what is long and leaves out what is too long', async () => {
    const long = Array.from({ length: 30_000 }, (_, index) => `line ${index}`).join('\n')
    const source = pieces(Buffer.from(long), 10_000)
    const picture: ResultPart = {
      kind: 'picture',
      mediaType: 'image/png',
      source: pieces(Buffer.from(png, 'base64'), 7),
    }
    const page = await html([call('c'), result('c', 'cut')], async (event) =>
      event.type === 'tool_result' ? [{ kind: 'text', source }, picture] : undefined,
    )
    expect(page).toContain(`<img alt="" src="data:image/png;base64,${png}">`)
    expect(page).toMatch(/<summary>[\d]+ more lines<\/summary>/)
    expect(page).toContain('more bytes are left out')
    expect(page.length).toBeLessThan(250_000)
  })
})
