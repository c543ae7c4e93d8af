import type { Hook } from '@dorkos/shared'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { text } from '../text/page-text.ts'
import { HookItem } from './hook-item.tsx'
import { groupHooks } from './hooks-card.tsx'

const words = text.workspaceHooks
afterEach(() => vi.unstubAllGlobals())

function shown(hook: Partial<Hook>): string {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const list = document.createElement('ul')
  const root = createRoot(list)
  const whole: Hook = { event: 'Stop', kind: 'command', source: 'user', state: 'runs', ...hook }
  act(() => root.render(<HookItem hook={whole} workspaceId="ws_1" />))
  const result = list.textContent ?? ''
  act(() => root.unmount())
  return result
}

it('groups by event, in the order in which they came', () => {
  const hooks = ['Stop', '__proto__', 'Stop'].map((event, at) => ({
    ...{ event, kind: 'command', runs: String(at) },
    source: 'user' as const,
    state: 'runs' as const,
  }))
  expect(groupHooks(hooks).map((group) => [group.event, group.hooks.map(({ runs }) => runs)])).toEqual([
    ['Stop', ['0', '2']],
    ['__proto__', ['1']],
  ])
})

it('says where it comes from, when it runs, and what', () => {
  const hook = shown({
    ...{
      source: 'plugin',
      plugin: 'p\u202e@mk',
      matcher: 'Bash',
      condition: 'Bash(git *)',
      runs: 'a\u001b[2Jb',
    },
    ...{ timeout_seconds: 5, background: true, once: true, state: 'off', cut: true, file: '/f' },
  })
  for (const part of [words.plugin('p[U+202E]@mk'), words.kinds.command, words.timeout(5), '/f'])
    expect(hook).toContain(part)
  for (const part of [`${words.only} Bash`, `${words.condition} Bash(git *)`, 'a[U+001B][2Jb', words.cut])
    expect(hook).toContain(part)
  for (const part of [words.background, words.once, words.states.off]) expect(hook).toContain(part)
  expect(hook).not.toContain(words.always)
  expect(shown({ runs: 'x' })).toContain(words.always)
})

it('says plainly that it does not run, and why', () => {
  const hook = shown({ kind: 'prompt', runs: 'Is it done?', state: 'unsupported', why: 'Only Claude could.' })
  for (const part of [words.kinds.prompt, words.states.unsupported, 'Only Claude could.'])
    expect(hook).toContain(part)
  expect(hook).not.toContain(words.allow)
})

it('of a kind that it does not know says the name; of DorkOS’s own what it is for', () => {
  expect(shown({ kind: 'constructor', runs: 'x' })).toContain('constructor')
  expect(shown({ kind: 'callback', source: 'dorkos' })).toContain(words.own)
})
