/**
 * What can be read where nobody is asked: the same by the file tools and by commands in the sandbox. What is closed is closed to
 * both; any other file of the owner's is open to both.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, HostileAgent } from '../support/hostile-agent.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'
import { sandboxHere } from '../support/sandbox-here.ts'

const minutes = 60_000
/** Below the owner's home, where the tests' state folder is too. */
const closed = [
  'state/canary.txt',
  '.claude/.credentials.json',
  '.claude/settings.json',
  '.claude.json',
  '.claude/file-history/copy',
  '.claude/daemon/key',
  '.claude/ide/lock',
]
const open = [
  'notes.txt',
  '.ssh/id_test',
  '.config/tool/token',
  '.claude/projects/other/said.jsonl',
  'elsewhere/a.txt',
]
const contentOf = (name: string) => (name.endsWith('.json') ? `{"x":"MARK-${name}"}` : `MARK-${name}`)

describe.skipIf(!sandboxHere)('reading, bypassPermissions', () => {
  let host: HostileHost
  let agent: HostileAgent
  beforeAll(async () => {
    host = await startHostileHost()
    agent = new HostileAgent(host, host.prompts)
    for (const name of [...closed, ...open]) {
      const path = join(host.root, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, contentOf(name))
    }
    // The CLI holds its rules against the names in a command too: this one does not tell what it does with them.
    writeFileSync(join(host.cwd, 'show'), '#!/bin/sh\ncat "$1"\n')
    chmodSync(join(host.cwd, 'show'), 0o755)
  }, minutes)
  afterAll(() => host?.close(), minutes)

  async function readBy(call: (path: string) => Call): Promise<string[]> {
    const names = [...closed, ...open]
    const calls = names.map((name) => call(join(host.root, name)))
    const { results, asked } = await agent.attack({ mode: 'bypassPermissions', calls })
    expect(asked).toEqual([])
    expect(results).toHaveLength(names.length)
    return names.filter((name, index) => results[index]?.text.includes(`MARK-${name}`))
  }

  it(
    'is the same for the file tool and for commands',
    async () => {
      expect(await readBy((file_path) => ['Read', { file_path }])).toEqual(open)
      expect(await readBy((path) => ['Bash', { command: `./show '${path}'` }])).toEqual(open)
    },
    2 * minutes,
  )

  it(
    'of many files at once finds nothing that is closed',
    async () => {
      const calls: Call[] = [
        // Not in the transcripts of this very test.
        ['Bash', { command: `grep -rs --exclude-dir='-*' MARK- '${host.root}'` }],
        ['Grep', { pattern: 'MARK-', path: host.root, output_mode: 'content' }],
        ['Glob', { pattern: '**/*', path: host.home }],
      ]
      const { results } = await agent.attack({ mode: 'bypassPermissions', calls })
      const [command] = results
      for (const name of open) expect(command?.text).toContain(`MARK-${name}`)
      const found = results.map(({ text }) => text).join()
      for (const name of closed) expect(found).not.toContain(`MARK-${name}`)
      expect(found).not.toContain('canary.txt')
    },
    2 * minutes,
  )
})
