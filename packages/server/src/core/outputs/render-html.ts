/**
 * A session as one HTML file to give away: it loads and runs nothing, shows no path of the machine but those that were said in the
 * conversation, and has what looks like a secret masked.
 */
import type { StreamEvent } from '@dorkos/shared'
import { Marked } from 'marked'
import { maskTokens } from '../mcp/mask-entry.ts'
import { maskLines } from '../trust/mask-text.ts'
import { allBytes, base64Of } from './byte-source.ts'
import {
  type CallSection,
  conversationSections,
  type Section,
  type WholeOf,
} from './conversation-sections.ts'
import { escapeHtml } from './markdown-blocks.ts'
import type { ExportedSession } from './render-markdown.ts'
import type { ResultPart } from './whole-result.ts'

/** Of one output or message; the rest is left out, and that is said. */
const maxShownBytes = 100_000
/** More is folded. */
const maxOpenLines = 40

export async function* renderHtml(
  session: ExportedSession,
  events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>,
  wholeOf: WholeOf,
): AsyncGenerator<string> {
  yield head(session)
  for await (const section of conversationSections(events, wholeOf)) yield* written(section)
  yield '</main></body></html>\n'
}

/** Nothing of it is run, so more may be masked than where somebody decides about a command. */
const masked = (text: string) => maskTokens(maskLines(text, ''))
const escaped = (text: string) => escapeHtml(text).replaceAll('"', '&quot;')
const shown = (text: string) => escaped(masked(text))

function head({ title, first_prompt, created_at, model, demo }: ExportedSession): string {
  const name = shown((title ?? first_prompt ?? 'Session').slice(0, 200))
  const facts = [
    created_at.slice(0, 10),
    ...(demo ? ['demo model'] : model === undefined ? [] : [shown(model)]),
  ].join(' · ')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${name}</title><style>${style}</style></head>
<body><main><h1>${name}</h1><p class="facts">${facts}</p>
`
}

async function* written(section: Section): AsyncGenerator<string> {
  switch (section.type) {
    case 'user':
      return yield* userSection(section)
    case 'words':
      return yield wordsSection(section)
    case 'call':
      return yield* callSection(section)
    case 'outcome': {
      const { words, reason } = section
      return yield `<p class="outcome">${escaped(words)}${reason === undefined ? '' : `: ${shown(reason)}`}</p>\n`
    }
    case 'compacted':
      return yield '<p class="note">The conversation up to here was compacted.</p>\n'
    case 'error':
      return yield `<p class="outcome">Error: ${shown(section.message)}</p>\n`
    case 'note':
      return yield `<p class="note">${shown(section.message)}</p>\n`
  }
}

async function* userSection(section: Extract<Section, { type: 'user' }>): AsyncGenerator<string> {
  const { time, synthetic, parts } = section
  yield synthetic
    ? '<details class="note"><summary>Added for the model</summary>\n'
    : `<section class="user"><p class="facts">${escaped(time.slice(0, 16).replace('T', ' '))} UTC</p>\n`
  yield* shownParts(parts)
  yield synthetic ? '</details>\n' : '</section>\n'
}

function wordsSection({ kind, ofSubagent, text }: Extract<Section, { type: 'words' }>): string {
  const from = ofSubagent ? ' (subagent)' : ''
  if (kind === 'thinking')
    return `<details><summary>Thinking${from}</summary>${preformatted(text)}</details>\n`
  const html = asHtml(masked(text))
  return ofSubagent ? `<blockquote>${html}</blockquote>\n` : `<section>${html}</section>\n`
}

const marks = { failed: 'failed', unanswered: 'no result' }

async function* callSection({ call, mark, output }: CallSection): AsyncGenerator<string> {
  const name = call === undefined ? 'Tool result' : escaped(call.name)
  const words = mark && (mark.kind === 'refused' ? mark.words : marks[mark.kind])
  const label = words === undefined ? '' : ` <b>${shown(words.replace(/\s+/g, ' ').slice(0, 200))}</b>`
  yield `<details><summary>${name}${call?.parent === undefined ? '' : ' (subagent)'}${label}</summary>\n`
  if (call) yield `<p class="facts">Input</p>${preformatted(JSON.stringify(call.input, undefined, 2))}\n`
  if (output) {
    yield '<p class="facts">Output</p>\n'
    yield* shownParts(output)
  }
  yield '</details>\n'
}

async function* shownParts(parts: readonly ResultPart[]): AsyncGenerator<string> {
  for (const part of parts) {
    if (part.kind === 'picture') {
      yield `<img alt="" src="data:${part.mediaType};base64,`
      yield* base64Of(part.source)
      yield '">\n'
    } else if (part.kind === 'text') {
      const bytes = await allBytes(part.source, 0, Math.min(part.source.bytes, maxShownBytes))
      yield preformatted(bytes.toString('utf8'))
      const left = part.source.bytes - maxShownBytes
      if (left > 0) yield `<p class="note">${left.toLocaleString('en')} more bytes are left out.</p>\n`
    } else
      yield `<p class="note">${shown(part.kind === 'missing' ? part.saying.message : `[${part.name}]`)}</p>\n`
  }
}

/** As it is; what is long is opened by the reader. */
function preformatted(text: string): string {
  const lines = masked(text).split('\n')
  const block = (some: readonly string[]) => `<pre>${escaped(some.join('\n'))}</pre>`
  if (lines.length <= maxOpenLines) return block(lines)
  const rest = lines.slice(maxOpenLines)
  return `${block(lines.slice(0, maxOpenLines))}<details><summary>${rest.length} more lines</summary>${block(rest)}</details>`
}

/** What an agent wrote: Markdown without HTML of its own, pictures from elsewhere, or links that do more than lead to a page. */
const markdown = new Marked({
  async: false,
  gfm: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text, href }) => `[${escaped(text || href)}]`,
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      if (!/^(?:https?:|mailto:)/i.test(href)) return words
      return `<a href="${escaped(href)}" rel="noopener noreferrer nofollow">${words}</a>`
    },
  },
})
const asHtml = (text: string) => String(markdown.parse(text))

const style = `
:root{color-scheme:light dark;--line:light-dark(#ddd,#3a3a3a);--soft:light-dark(#555,#aaa);--raised:light-dark(#f4f2ef,#262422)}
body{margin:0;font:16px/1.55 system-ui,sans-serif}main{max-width:48rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;background:var(--raised);padding:.6rem .8rem;border-radius:.5rem;font-size:.85em;margin:.4rem 0}
code{font-size:.9em}img{max-width:100%}table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.2rem .5rem}
.facts,.note{color:var(--soft);font-size:.85em}.user{background:var(--raised);border-radius:.8rem;padding:.4rem 1rem;margin:1.5rem 0 1rem}
.user pre{background:none;padding:0;font:inherit}.outcome{font-weight:600}
details{border:1px solid var(--line);border-radius:.5rem;padding:.3rem .7rem;margin:.4rem 0}summary{cursor:pointer}summary b{color:var(--soft);font-weight:400}
blockquote{border-left:3px solid var(--line);margin:.5rem 0;padding-left:1rem}
`.replaceAll('\n', '')
