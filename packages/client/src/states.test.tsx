/** No state is known by its colour alone: each has words, and a shape or a sign of its own. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { ToolStatusView } from './conversation/tools/tool-status.tsx'
import type { ToolStatus } from './live/page-session.ts'
import type { ShownState } from './mcp/server-state.ts'
import { stateWord } from './mcp/server-state.ts'
import { markLabel, markLook } from './sessions/session-mark.ts'
import { text } from './text/page-text.ts'
import { StateGlyph } from './ui/badge.tsx'

type Mark = Parameters<typeof markLook>[0]
const marks = Object.keys(text.sessions.marks) as Mark[]
const toolStates = Object.keys(text.conversation.toolStates) as ToolStatus[]
const serverStates = Object.keys(text.mcp.states) as ShownState[]

const wordsOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, '').trim()
const pathsOf = (markup: string) => markup.match(/<(path|circle|rect|line|polyline)[^>]*>/g)?.join('') ?? ''

describe('states', () => {
  it('of sessions differ in shape, and have names', () => {
    const drawn = marks.map((mark) =>
      renderToStaticMarkup(<StateGlyph {...markLook(mark)} label={markLabel(mark)} />),
    )
    for (const [index, mark] of marks.entries())
      expect(drawn[index]).toContain(`aria-label="${markLabel(mark)}"`)
    expect(new Set(drawn.map(pathsOf)).size).toBe(marks.length)
    expect(new Set(marks.map(markLabel)).size).toBe(marks.length)
  })

  it('of calls differ in words and in signs', () => {
    const drawn = toolStates.map((status) => renderToStaticMarkup(<ToolStatusView status={status} />))
    for (const one of drawn) expect(pathsOf(one)).not.toBe('')
    expect(drawn.map(wordsOf)).not.toContain('')
    expect(new Set(drawn.map(wordsOf)).size).toBe(toolStates.length)
    expect(new Set(drawn.map(pathsOf)).size).toBe(toolStates.length)
  })

  it('of MCP servers differ in words', () => {
    expect(new Set(serverStates.map(stateWord)).size).toBe(serverStates.length)
  })
})
