import { existsSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { PrivateFiles } from './private-files.ts'
import { handOverServers } from './server-file.ts'

describe('handOverServers', () => {
  const files = new PrivateFiles()
  afterEach(() => files.remove())

  it('writes a file where a server has headers or variables', () => {
    for (const server of [
      { command: 'x', env: { TOKEN: 't' } },
      { type: 'http', url: 'http://x', headers: { authorization: 't' } },
    ]) {
      const path = String(handOverServers({ a: server }, files))
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: { a: server } })
      files.remove()
      expect(existsSync(path)).toBe(false)
    }
  })

  it('writes none where there is nothing to hide', () => {
    const servers = { a: { command: 'x' }, b: { type: 'http', url: 'http://x', headers: {} } }
    expect(handOverServers(servers, files)).toBe(servers)
  })
})
