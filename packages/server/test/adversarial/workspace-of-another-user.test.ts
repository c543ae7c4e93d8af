/** A server that is root, and a workspace that belongs to somebody else: agents work there as its owner, and hold no right of root's. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import { afterAll, describe, expect, it } from 'vitest'
import { diagnose } from '../../src/diagnose.ts'
import { containersHere } from '../support/containers-here.ts'
import { type Call, HostileAgent, script } from '../support/hostile-agent.ts'
import { leaveOthersFile, readState, rootOnly } from '../support/hostile-commands.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { useHost } from '../support/use-host.ts'

const minutes = 60_000
const isRoot = process.getuid?.() === 0
/** Nobody's on any machine that we know of. */
const [uid, gid] = [23_457, 23_458]
// The host's own folders are closed to others: what these are to reach lies beside them.
const outside = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-owned-')))
chmodSync(outside, 0o755)
const used = useHost({ config: { roots: [tmpdir()] } })
afterAll(() => {
  rmSync(outside, { recursive: true, force: true })
  rmSync(`/tmp/claude-${uid}`, { recursive: true, force: true })
})

/** A workspace of that user, with a repository whose configuration names a program. */
async function owned(path: string, mode: Workspace['mode']): Promise<Workspace> {
  mkdirSync(path)
  const program = join(path, 'fsmonitor.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${path}/obeyed'\n`, { mode: 0o755 })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, stdio: 'ignore' })
  git('init', '-q')
  git('config', 'core.fsmonitor', program)
  writeFileSync(join(path, 'control.txt'), 'CONTROL\n')
  if (isRoot)
    for (const name of ['.', ...(readdirSync(path, { recursive: true }) as string[])])
      chownSync(join(path, name), uid, gid)
  leaveOthersFile(path)
  return used.host.client.createWorkspace({ body: { path, mode } })
}

function ownerOf(path: string): string {
  const { uid, gid } = lstatSync(path)
  return `${uid}:${gid}`
}

function calls(path: string): Call[] {
  const { home, root } = used.host
  const at = { cwd: path }
  writeFileSync(join(root, 'note.txt'), 'CANARY-ROOT')
  return [
    script(at, 'root-only.sh', rootOnly),
    script(at, 'state.sh', readState({ state: home, pid: process.pid })),
    ['Bash', { command: `id; cat '${root}/note.txt'; mkdir by-command; cd by-command; touch made` }],
    ['Bash', { command: 'pwd; test -w ~ && echo "a home of its own"' }],
    ['Write', { file_path: join(path, 'by-tool/made.txt'), content: 'x' }],
  ]
}

describe.runIf(isRoot)('agents in a workspace of another user', () => {
  const places = [
    ...(sandboxHere ? ['host' as const] : []),
    ...(containersHere ? ['container' as const] : []),
  ]
  // What a mode decides does not depend on who agents are: the one in which nobody is asked.
  it.each(places)(
    'are its owner, with no right of root’s, and what they make is the owner’s: %s',
    async (place) => {
      const { host, prompts } = used
      const { id, path } = await owned(join(outside, place), place)
      const agent = new HostileAgent(host, prompts, id)
      const { results } = await agent.attack({ mode: 'bypassPermissions', calls: calls(path) })
      await agent.close()
      const [rights, state, command, next] = results.map(({ text }) => text)
      expect(rights).toBe('Linux was asked')
      expect(state).toContain('CONTROL')
      expect(state).toContain('listed: 0 found: 0')
      expect(command).toContain(`uid=${uid}(agent) gid=${gid}`)
      expect(command).not.toContain('CANARY-ROOT')
      expect(next).toBe(`${path}/by-command\na home of its own`)
      const made = ['by-command', 'by-command/made', 'by-tool', 'by-tool/made.txt']
      expect(made.map((name) => ownerOf(join(path, name)))).toEqual(made.map(() => `${uid}:${gid}`))
      // The CLI asks git about the workspace, with rights that its commands do not have.
      expect(existsSync(join(path, 'obeyed'))).toBe(false)
      expect(await host.client.getWorkspace({ params: { id } })).not.toHaveProperty('warning')
    },
    2 * minutes,
  )
})

describe('a workspace that its owner cannot reach', () => {
  it('is one to be told of, with what to do, where root’s agents would have to be that owner', async () => {
    const { host } = used
    const { id, path } = await owned(join(host.root, 'closed'), 'host')
    const { warning } = await host.client.getWorkspace({ params: { id } })
    const server = (await diagnose(host.env)).find(({ check }) => check === 'server')
    if (!isRoot) return expect([warning, server?.detail.includes(path)]).toEqual([undefined, false])
    expect(warning).toContain(`Run DorkOS as ${uid}:${gid}, or give root the folder: chown -R 0:0 '${path}'`)
    expect(server).toMatchObject({ state: 'warning', detail: expect.stringContaining(warning ?? '') })
  })
})
