import type { Status } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { diagnostics, withoutNames } from './diagnostics.ts'

const status: Status = {
  version: '0.1.0',
  started_at: '2026-11-15T00:00:00.000Z',
  uptime_seconds: 5,
  port: 4242,
  host: '127.0.0.1',
  cli: { path: '/home/somebody/dorkos/node_modules/claude', version: '2.1.325' },
  model: { mode: 'anthropic', source: 'api_key', gateway: true },
  sandbox: { enabled: false, reason: 'no bwrap in /Users/somebody/bin' },
  containers: { available: false },
  sessions: { live: 1, max_live: 8, working: 0 },
  index: { transcripts: 3, indexed: 3 },
  pending_approvals: 0,
  banners: [
    {
      code: 'config_fault',
      level: 'warning',
      message: 'C:\\Users\\somebody\\config has sk-ant-api03-abcdef',
    },
  ],
}

it('copies how the server is, without names and keys', () => {
  const copied = diagnostics(status, {
    browser: 'Firefox',
    language: 'en',
    connection: 'open',
    time: '2026-11-15',
  })
  expect(copied).toContain('~/dorkos/node_modules/claude')
  expect(copied).not.toContain('somebody')
  expect(copied).not.toContain('abcdef')
  expect(JSON.parse(copied).server.sandbox.enabled).toBe(false)
})

it('leaves out what opens a door, wherever it stands', () => {
  const home = ['', 'root'].join('/')
  const found = withoutNames({
    list: [
      'Bearer abc.def',
      'http://127.0.0.1/#code=AB1CD-2EF3G',
      'https://user:secret@example.org/x',
      'dork_abcdefgh',
    ],
    root: `${home}/.dorkos and ${home}ed`,
  })
  expect(found).toEqual({
    list: [
      'Bearer [left out]',
      'http://127.0.0.1/#code=[left out]',
      'https://[left out]example.org/x',
      '[left out]',
    ],
    root: `~/.dorkos and ${home}ed`,
  })
})
