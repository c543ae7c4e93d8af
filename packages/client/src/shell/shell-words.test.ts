import { pagePaths, type Status, type TrustState } from '@dorkos/shared'
import { Circle } from 'lucide-react'
import { describe, expect, it } from 'vitest'
import { readTheme } from '../browser/theme.ts'
import { type Connection, connectionAt, notConnected } from '../live/connection-state.ts'
import { sampleSession } from '../sessions/sample-session.ts'
import { isMissingPart } from '../ui/error-kind.ts'
import { connectionWords } from './connection-words.ts'
import { homeSections } from './home-sections.ts'
import { navEntryOf, pageEntries, pageTitle, settingsEntries, settingsEntryOf } from './nav.ts'
import { onboardingChecks } from './onboarding-checks.ts'
import { fittingCommands, type PaletteCommand } from './palette-commands.ts'
import { pathOf } from './use-open-from-notification.ts'

describe('the palette', () => {
  const command = (
    group: PaletteCommand['group'],
    title: string,
    more: Partial<PaletteCommand> = {},
  ): PaletteCommand => ({
    id: `${group}:${title}`,
    group,
    title,
    icon: Circle,
    run: () => {},
    ...more,
  })
  const all = [
    command('here', 'Rename…'),
    command('actions', 'New session'),
    command('actions', 'Sign out'),
    command('pages', 'Costs'),
    command('pages', 'MCP servers'),
    command('sessions', 'Why do costs differ?'),
    command('sessions', 'Mend the parser', { words: 'feature/lexer' }),
  ]
  const titles = (query: string) =>
    fittingCommands(all, query).map(({ group, commands }) => [group, ...commands.map(({ title }) => title)])

  it('offers what is near before anything is typed', () => {
    expect(titles('').map(([group]) => group)).toEqual(['here', 'sessions', 'actions', 'pages'])
  })

  it('puts the best fit first, with its group', () => {
    expect(titles('costs')).toEqual([
      ['pages', 'Costs'],
      ['sessions', 'Why do costs differ?'],
    ])
    expect(titles('mcp')).toEqual([['pages', 'MCP servers']])
    expect(titles('so')).toEqual([['actions', 'Sign out']])
    expect(titles('mtp')).toEqual([['sessions', 'Mend the parser']])
    expect(titles('mdps')).toEqual([['sessions', 'Mend the parser']])
  })

  it('finds by other words, and finds nothing where nothing fits', () => {
    expect(titles('lexer')).toEqual([['sessions', 'Mend the parser']])
    expect(titles('zzzz')).toEqual([])
  })

  it('shows a bounded number', () => {
    const many = Array.from({ length: 500 }, (_, index) => command('sessions', `Session ${index}`))
    expect(fittingCommands(many, 'session')[0]?.commands.length).toBe(20)
    expect(fittingCommands(many, '')[0]?.commands.length).toBe(6)
  })
})

describe('what is said of the connection', () => {
  const words = (more: Partial<Connection>) =>
    connectionWords(connectionAt({ ...notConnected, ...more }, 100_000))

  it('is nothing while all is well', () => {
    expect(words({ state: 'open' })).toBeUndefined()
  })

  it('counts in seconds while it is away', () => {
    expect(words({ state: 'reconnecting', lastHeardAt: 88_000, retryAt: 103_000 })).toEqual({
      title: 'Reconnecting…',
      details: ['last connected 12 s ago', 'retrying in 3 s'],
      canTry: true,
    })
    expect(words({ state: 'reconnecting', lastHeardAt: 99_900, retryAt: 100_000 })?.details).toEqual([
      'retrying now',
    ])
    expect(words({ state: 'offline', lastHeardAt: 10_000 })?.details).toEqual([
      'last connected 1 min 30 s ago',
    ])
  })

  it('says that it catches up, and that it connects', () => {
    expect(words({ state: 'open', catchingUp: true })?.title).toMatch(/Catching up/)
    expect(words({ state: 'connecting' })?.title).toBe('Connecting…')
  })
})

describe('the navigation', () => {
  it('names only pages that there are, and finds where one is', () => {
    for (const { path } of pageEntries) expect(pagePaths).toContain(path)
    for (const { path } of settingsEntries) expect(navEntryOf(path)?.path).toBe('/settings')
    expect(settingsEntryOf('/audit')?.title).toBe('Audit')
    expect(settingsEntryOf('/mcp')).toBeUndefined()
    expect([pageTitle('/settings'), pageTitle('/audit')]).toEqual(['Settings', 'Audit'])
    expect(navEntryOf('/mcp/github')?.path).toBe('/mcp')
    expect(navEntryOf('/mcp-sign-in')?.path).toBe('/mcp')
    expect(navEntryOf('/mcpx')).toBeUndefined()
    expect(navEntryOf('/')).toBeUndefined()
    expect(pageTitle('/workspaces/ws_1')).toBe('Workspaces')
    expect(pageTitle('/nowhere')).toBe('DorkOS')
  })
})

describe('onboarding', () => {
  const status: Status = {
    version: '1',
    started_at: '2025-06-01T10:00:00.000Z',
    uptime_seconds: 1,
    port: 1,
    host: 'h',
    cli: { path: '/bin/claude', version: '2.1' },
    model: { mode: 'anthropic', source: 'api_key', gateway: true },
    sandbox: { enabled: true },
    containers: { available: false },
    sessions: { live: 0, max_live: 1, working: 0 },
    index: { transcripts: 0, indexed: 0 },
    pending_approvals: 0,
    banners: [],
  }
  const workspace = {
    id: 'ws_1',
    name: 'demo',
    path: '/d',
    trusted: true,
    trust: 'trusted' as TrustState,
    mode: 'host' as const,
    main: true,
    created_at: status.started_at,
  }
  const states = (more: Partial<Status>, workspaces = [workspace]) =>
    Object.fromEntries(
      onboardingChecks({ ...status, ...more }, workspaces).map(({ key, state }) => [key, state]),
    )

  it('is content with a server that has everything', () => {
    expect(states({})).toEqual({ cli: 'ok', model: 'ok', sandbox: 'ok', workspace: 'ok' })
  })

  it('says what is missing, and what to do', () => {
    expect(states({ cli: {} }).cli).toBe('missing')
    expect(states({ cli: { path: '/x', fault: 'too old' } }).cli).toBe('missing')
    expect(states({ model: { mode: 'demo', source: 'demo', gateway: true } }).model).toBe('attention')
    expect(states({ sandbox: { enabled: false, reason: 'no bwrap' } }).sandbox).toBe('missing')
    expect(states({}, []).workspace).toBe('missing')
    const changed = { ...workspace, trusted: false, trust: 'changed' as const }
    expect(states({}, [changed]).workspace).toBe('attention')
    expect(states({}, [{ ...changed, trust: 'untrusted' }]).workspace).toBe('ok')
    const [, , sandbox] = onboardingChecks({ ...status, sandbox: { enabled: false, reason: 'no bwrap' } }, [])
    expect(sandbox?.detail).toMatch(/no bwrap.*Install bubblewrap/)
  })
})

describe('the start page', () => {
  it('shows what runs and what is new, and leaves the rest to the sidebar', () => {
    const sessions = [
      sampleSession({ id: 'a', state: 'waiting' }),
      sampleSession({ id: 'b', state: 'working' }),
      sampleSession({ id: 'c' }),
      sampleSession({ id: 'd' }),
      sampleSession({ id: 'e', state: 'failed' }),
    ]
    const parts = homeSections(sessions, ({ id }) => id === 'c' || id === 'a' || id === 'e')
    const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id)
    // The question of the one that waits is shown in its place.
    expect(Object.values(parts).flat()).not.toContainEqual(expect.objectContaining({ id: 'a' }))
    expect(ids(parts.working)).toEqual(['b'])
    expect(ids(parts.news)).toEqual(['c', 'e'])
  })
})

it('knows in every browser’s words that a part of the page is missing', () => {
  expect(isMissingPart(new TypeError('Failed to fetch dynamically imported module: http://x/a.js'))).toBe(
    true,
  )
  expect(isMissingPart(new TypeError('error loading dynamically imported module: http://x'))).toBe(true)
  expect(isMissingPart(new TypeError('Importing a module script failed.'))).toBe(true)
  expect(isMissingPart(new Error('Unable to preload CSS for /assets/x.css'))).toBe(true)
  expect(isMissingPart(new TypeError('x is undefined'))).toBe(false)
  expect(isMissingPart('text')).toBe(false)
})

it('opens from a notification only what is on this page', () => {
  expect(pathOf({ type: 'dorkos:open', path: '/sessions/1#x' })).toBe('/sessions/1#x')
  for (const path of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:1',
    1,
    undefined,
  ]) {
    expect(pathOf({ type: 'dorkos:open', path })).toBeUndefined()
  }
  expect(pathOf({ type: 'other', path: '/' })).toBeUndefined()
  expect(pathOf(null)).toBeUndefined()
})

it('reads a theme that it knows', () => {
  expect([undefined, 'light', 'dark', 'system', '<x>'].map(readTheme)).toEqual([
    'system',
    'light',
    'dark',
    'system',
    'system',
  ])
})
