import { describe, expect, it } from 'vitest'
import { foldText, lineCount } from '../render/fold-text.ts'
import { allowanceOf } from './allowance.ts'
import { callView, subjectOf, toolName } from './call-view.ts'
import { sampleApproval } from './test-support/sample-approval.ts'

describe('a call', () => {
  it('of Bash shows its command, its flags and whatever else is in it', () => {
    const input = {
      command: 'make',
      description: 'Build',
      run_in_background: true,
      timeout: 5000,
      dangerouslyDisableSandbox: true,
      surprise: 1,
    }
    expect(callView({ tool: 'Bash', input })).toEqual({
      kind: 'command',
      command: 'make',
      description: 'Build',
      background: true,
      timeoutMs: 5000,
      outsideSandbox: true,
      rest: { surprise: 1 },
    })
  })

  it('of a file tool shows its changes', () => {
    expect(
      callView({
        tool: 'Edit',
        input: { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
      }),
    ).toEqual({
      kind: 'changes',
      file: '/a',
      changes: [{ before: 'x', after: 'y', replaceAll: true }],
      rest: {},
    })
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: '' },
    ]
    expect(callView({ tool: 'MultiEdit', input: { file_path: '/a', edits } })).toMatchObject({
      kind: 'changes',
      changes: [{ before: 'a' }, { before: 'c', after: '' }],
    })
    expect(callView({ tool: 'Write', input: { file_path: '/a', content: 'x' } })).toMatchObject({
      kind: 'write',
    })
    expect(
      callView({ tool: 'NotebookEdit', input: { notebook_path: '/n', edit_mode: 'delete' } }),
    ).toMatchObject({
      kind: 'cell',
      deletes: true,
    })
  })

  it.each([
    ['Bash', { command: ['rm', '-rf'] }],
    ['Edit', { file_path: '/a', old_string: 1, new_string: 'y' }],
    ['MultiEdit', { file_path: '/a', edits: [{ old_string: 'a', new_string: 'b' }, null] }],
    ['Write', { file_path: '/a' }],
    ['constructor', { a: 1 }],
  ])('of %s with an input of another shape is shown as it is', (tool, input) =>
    expect(callView({ tool, input })).toEqual({ kind: 'other', input }),
  )

  it('has one line that distinguishes it from others', () => {
    const subject = (tool: string, input: Record<string, unknown>) => subjectOf({ tool, input })
    expect(subject('Bash', { command: 'a\n  b' })).toBe('a ⏎ b')
    expect(subject('Bash', { command: ' a \t b\r\n' })).toBe('a b')
    const long = subject('Bash', { command: `echo ${'x'.repeat(5000)}; rm -rf /` })
    expect(long.length).toBeLessThan(320)
    expect(long.endsWith('; rm -rf /')).toBe(true)
    expect(subject('Write', { file_path: '/a', content: '' })).toBe('/a')
    expect(subject('AskUserQuestion', { questions: [{ question: 'Which?' }] })).toBe('Which?')
    expect(subject('WebFetch', { url: 'https://a.example' })).toBe('https://a.example')
    expect(subject('mcp__x__y', { n: 1 })).toBe('{"n":1}')
    // Its field may be there to be shown, while another one does the work.
    expect(subject('mcp__x__y', { query: 'weather', run: 'rm' })).toBe('{"query":"weather","run":"rm"}')
    expect(subject('constructor', { path: '/a', b: 1 })).toBe('{"path":"/a","b":1}')
    expect(subject('mcp__x__y', {})).toBe('')
  })

  it('of an MCP server has the server’s name', () => {
    expect(toolName('mcp__github__create_issue')).toEqual({ server: 'github', name: 'create_issue' })
    expect(toolName('Bash')).toEqual({ server: undefined, name: 'Bash' })
  })
})

describe('a long text', () => {
  it('keeps its end in sight', () => {
    const text = [...Array.from({ length: 300 }, (_, n) => `echo ${n}`), 'rm -rf /'].join('\n')
    const { head, tail, hiddenLines, hiddenCharacters } = foldText(text)
    expect(head.startsWith('echo 0\n')).toBe(true)
    expect(tail.endsWith('rm -rf /')).toBe(true)
    expect(hiddenLines).toBeGreaterThan(200)
    expect(head.length + hiddenCharacters + tail.length).toBe(text.length)
  })

  it('of one line, too', () => {
    const text = `echo ${' '.repeat(20_000)}; rm -rf /`
    const { head, tail, hiddenCharacters } = foldText(text)
    expect(tail.endsWith('; rm -rf /')).toBe(true)
    expect(head.length + hiddenCharacters + tail.length).toBe(text.length)
  })

  it('that is short is left whole', () => {
    const text = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n')
    expect(foldText(text)).toEqual({ head: text, tail: '', hiddenLines: 0, hiddenCharacters: 0 })
    expect([lineCount(''), lineCount('a'), lineCount('a\nb\n')]).toEqual([0, 1, 2])
  })
})

describe('an allowance', () => {
  it('beyond once needs a rule, and for this session one of exactly this call', () => {
    expect(allowanceOf(sampleApproval())).toMatchObject({ session: true, always: true, whyNot: undefined })
    const long = sampleApproval({ proposed_rule: { tool: 'mcp__x__y', scope: 'workspace', fields: ['a'] } })
    expect(allowanceOf(long)).toMatchObject({ session: false, always: true, whyNot: undefined })
    const { proposed_rule: _, ...unruly } = sampleApproval()
    expect(allowanceOf(unruly)).toMatchObject({ session: false, always: false, whyNot: expect.any(String) })
  })
})
