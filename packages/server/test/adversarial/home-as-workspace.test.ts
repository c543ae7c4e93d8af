/** Agents that work in the owner’s home directory itself: the state folder and all that shells obey lie in their workspace. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HostileAgent, script } from '../support/hostile-agent.ts'
import { readState } from '../support/hostile-commands.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'
import { modesHere } from '../support/modes-here.ts'
import { sandboxHere } from '../support/sandbox-here.ts'

const minutes = 60_000
const obeyed = [
  ...['.bashrc', '.profile', '.bash_profile', '.bash_login', '.zshrc', '.zshenv', '.zprofile', '.gitconfig'],
  ...['.ssh/authorized_keys', '.config/git/config', '.config/fish/config.fish', '.claude/settings.json'],
  ...['.claude/hooks/h.sh', '.mcp.json', '.claude.json'],
]

describe.skipIf(!sandboxHere)('a workspace that is the owner’s home', () => {
  let host: HostileHost
  let agent: HostileAgent
  beforeAll(async () => {
    host = await startHostileHost()
    mkdirSync(join(host.root, '.ssh'))
    writeFileSync(join(host.root, '.ssh/authorized_keys'), 'the owner’s')
    writeFileSync(join(host.root, '.bash_profile'), 'the owner’s')
    writeFileSync(join(host.root, 'control.txt'), 'CONTROL')
    const { id } = await host.client.createWorkspace({ body: { path: host.root } })
    agent = new HostileAgent(host, host.prompts, id)
  }, minutes)
  afterAll(() => host?.close(), minutes)

  it.each(modesHere.filter((mode) => mode !== 'dontAsk'))(
    'keeps them from commands, in %s',
    async (mode) => {
      const before = await host.state()
      const content = () => obeyed.map((name) => readIfThere(join(host.root, name)))
      const files = content()
      const write = obeyed.map(
        (name) => `mkdir -p '${dirname(join(host.root, name))}'; echo hostile > '${join(host.root, name)}'`,
      )
      const place = { cwd: host.root }
      const { results, known, decided } = await agent.attack({
        mode,
        calls: [
          script(place, 'read.sh', readState(host.known)),
          script(place, 'write.sh', [...write, 'echo plain > plain.txt'].join('\n')),
        ],
      })
      expect(results).toHaveLength(2)
      expect(results[0]?.text).toContain('CONTROL')
      expect(readFileSync(join(host.root, 'plain.txt'), 'utf8')).toBe('plain\n')
      for (const secret of host.secrets) expect(known).not.toContain(secret)
      // The CLI keeps its own state in one of them.
      expect(
        content().map((text, n) => (obeyed[n] === '.claude.json' ? text?.includes('hostile') : text)),
      ).toEqual(files.map((text, n) => (obeyed[n] === '.claude.json' ? false : text)))
      expect(await host.state()).toEqual(before)
      expect(decided).toHaveLength(2)
    },
    2 * minutes,
  )
})

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
