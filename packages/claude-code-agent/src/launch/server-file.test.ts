import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdsSecrets, writeServerFile } from './server-file.ts'

describe('a file of external servers', () => {
  it('is wanted where a server has headers or variables', () => {
    expect(holdsSecrets({ a: { command: 'x' }, b: { type: 'http', url: 'http://x', headers: {} } })).toBe(
      false,
    )
    expect(holdsSecrets({ a: { command: 'x', env: { TOKEN: 't' } } })).toBe(true)
    expect(holdsSecrets({ b: { type: 'http', url: 'http://x', headers: { authorization: 't' } } })).toBe(true)
  })

  it('can be read by its owner only, and is removed with its folder', () => {
    const servers = { a: { command: 'x', env: { TOKEN: 't' } } }
    const file = writeServerFile(servers)
    expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual({ mcpServers: servers })
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file.path)).mode & 0o777).toBe(0o700)
    file.remove()
    file.remove()
    expect(existsSync(dirname(file.path))).toBe(false)
  })
})
