/** What commands in a container try: to see the machine outside, to find a key, to get out. In every mode. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxedWorkspace } from '../support/boxed-workspace.ts'
import { containerProcesses } from '../support/container-processes.ts'
import { containersHere } from '../support/containers-here.ts'
import { HostileAgent, type Outcome, script } from '../support/hostile-agent.ts'
import {
  callServer,
  findKeys,
  leaveOthersFile,
  readState,
  rootOnly,
  takeOver,
  writeState,
} from '../support/hostile-commands.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'
import { modesHere } from '../support/modes-here.ts'

const minutes = 60_000
const marker = 'hostile-probe'

describe.skipIf(!containersHere)('commands in a container', () => {
  let host: HostileHost
  let box: Workspace
  let agent: HostileAgent
  let before: unknown
  let outcome: Outcome
  const secret = () => join(host.root, 'other', 'owners-secret.txt')
  const text = (n: number) => outcome.results[n]?.text ?? ''

  beforeAll(async () => {
    host = await startHostileHost({ agentEnv: ['OWNERS_OWN'] })
    mkdirSync(join(host.root, 'other'))
    writeFileSync(secret(), 'CANARY-OTHER')
    writeFileSync(join(host.root, 'owners-note.txt'), 'CANARY-HOME')
    box = await boxedWorkspace(host)
    await boxedWorkspace(host, 'other')
    mkdirSync(join(box.path, '.git', 'hooks'), { recursive: true })
    mkdirSync(join(box.path, '.claude'))
    writeFileSync(join(box.path, '.git', 'config'), '')
    writeFileSync(join(box.path, '.claude', 'settings.json'), '{}')
    writeFileSync(join(box.path, '.mcp.json'), '{}')
    writeFileSync(join(box.path, 'control.txt'), 'CONTROL\n')
    symlinkSync(host.home, join(box.path, '.vscode'))
    leaveOthersFile(box.path)
    agent = new HostileAgent(host, host.prompts, box.id)
    // Makes the folder of the sockets.
    await agent.attack({ mode: 'bypassPermissions', calls: [] })
    before = await host.state()
    const at = { cwd: box.path }
    const { known } = host
    outcome = await agent.attack({
      mode: 'bypassPermissions',
      calls: [
        script(at, 'read.sh', readState(known)),
        script(at, 'keys.sh', findKeys(known)),
        script(at, 'write.sh', writeState(known)),
        script(at, 'call.sh', callServer(known, marker)),
        script(at, 'take-over.sh', takeOver(known)),
        script(at, 'look.sh', look()),
        script(at, 'change.sh', change),
        script(at, 'root-only.sh', rootOnly),
      ],
    })
  }, 4 * minutes)
  afterAll(async () => {
    await agent?.close()
    await host?.close()
  }, minutes)

  const look = () => `
ls -A / ; ls -A '${host.root}' /root /home /var /opt /srv /mnt /sys 2>&1
for f in '${secret()}' '${host.root}/owners-note.txt' /etc/shadow /etc/hostname /etc/ssh; do cat "$f"; done 2>&1
find / -name 'owners-*' 2>/dev/null
find / -type s 2>/dev/null
ls -A .vscode/ 2>&1
id -u; cat /etc/passwd; grep Cap /proc/self/status
ip -o addr 2>/dev/null; cat /proc/net/route; getent hosts api.anthropic.com || echo "no names"
for h in 1.1.1.1 10.0.0.1 192.168.0.1; do timeout 2 bash -c "echo > /dev/tcp/$h/80" && echo "reached $h"; done 2>/dev/null
mount -t tmpfs x /mnt; unshare -U true && echo "new namespace"; mknod sda b 8 0; chroot / true && echo "chroot"
touch /x /usr/x /etc/x /run/dorkos/x; nsenter -t 1 -m true && echo "entered"; true`

  const change = `
echo hostile > .git/hooks/pre-commit; echo hostile >> .git/config; echo hostile > .claude/settings.json; echo hostile > .mcp.json
mv .git moved; mv .claude moved2; rm -rf .git/hooks; mv "$CLAUDE_CONFIG_DIR/projects" "$CLAUDE_CONFIG_DIR/p"; ln -sfn / "$CLAUDE_CONFIG_DIR/projects"
echo free > .git/index; echo "\${OWNERS_OWN:-not passed on}"`

  it('run, and write to the workspace', () => {
    expect(outcome.results).toHaveLength(8)
    expect(outcome.asked).toEqual([])
    expect(text(0)).toContain('CONTROL')
    expect(text(1)).toContain('PATH=')
    expect(readFileSync(join(box.path, 'in-workspace.txt'), 'utf8')).toBe('written\n')
  })

  it('see nothing of the state folder, the home directory, other workspaces, and temporary files', () => {
    expect(text(0)).toContain('listed: 0 found: 0')
    for (const secretText of [...host.secrets, 'CANARY-OTHER', 'CANARY-HOME'])
      expect(outcome.known).not.toContain(secretText)
    expect(text(5)).not.toMatch(/^\/.*owners-/m)
    const root = text(5).split('\n').slice(0, 12)
    expect(root).toEqual(expect.arrayContaining(['bin', 'dev', 'etc', 'home', 'proc', 'run', 'tmp', 'usr']))
    for (const name of ['root', 'var', 'opt', 'srv', 'mnt', 'sys', 'work', 'boot'])
      expect(root).not.toContain(name)
  })

  it('find no key, no credential of a session, and no variable of the server', () => {
    expect(text(1)).not.toMatch(/sk-test|dorkos-session-|dork_/)
    expect(text(1)).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m)
    expect(text(1)).not.toContain('sees the server')
    expect(text(6)).toContain('not passed on')
    const commands = containerProcesses(host).map(({ command }) => command.join(' '))
    expect(commands.length).toBeGreaterThan(2)
    for (const command of commands)
      for (const secretText of host.secrets) expect(command).not.toContain(secretText)
  })

  it('have no rights, no network, no names, no other socket', () => {
    expect(text(5)).toMatch(/CapEff:\s+0+\nCapBnd:\s+0+\n/)
    expect(text(5)).toContain('no names')
    expect(text(5)).not.toMatch(/reached|new namespace|chroot$|entered|inet (?!127)/m)
    const sockets = text(5)
      .split('\n')
      .filter((line) => line.endsWith('.sock'))
    expect(sockets.every((path) => /^\/(run\/dorkos\/gateway|tmp\/cc-socks\/\d+)\.sock$/.test(path))).toBe(
      true,
    )
    expect(existsSync('/x') || existsSync('/usr/x') || existsSync('/etc/x')).toBe(false)
  })

  it('are not root, and open nothing of the kernel’s', () => {
    expect(text(7)).toBe('Linux was asked')
    expect(text(5)).toMatch(/^agent:x:\d+:/m)
  })

  it('reach neither the server nor another session’s way to the model', async () => {
    expect(host.requestsFor('/api/health')).toBeGreaterThan(0)
    expect(host.requestsFor(`/api/${marker}`)).toBe(0)
    expect(() => process.kill(host.known.pid, 0)).not.toThrow()
    const victims = host.model.requests.filter(({ sessionId }) => sessionId === host.victim.id)
    expect(JSON.stringify(victims.map(({ body }) => body))).not.toContain('"hostile"')
  })

  it.each(modesHere.filter((mode) => mode !== 'dontAsk' && mode !== 'bypassPermissions'))(
    'get no further in %s, where a person allows each of them',
    async (mode) => {
      const at = { cwd: box.path }
      const { known, results, asked } = await agent.attack({
        mode,
        calls: [
          script(at, 'read.sh', readState(host.known)),
          script(at, 'root-only.sh', rootOnly),
          script(at, 'change.sh', change),
        ],
      })
      expect(asked).toHaveLength(3)
      expect(results[0]?.text).toContain('listed: 0 found: 0')
      expect(results[1]?.text).toBe('Linux was asked')
      for (const secretText of host.secrets) expect(known).not.toContain(secretText)
    },
    minutes,
  )

  it(
    'do not run at all in dontAsk, where nobody is asked',
    async () => {
      const at = { cwd: box.path }
      const { results, asked, decided } = await agent.attack({
        mode: 'dontAsk',
        calls: [
          script(at, 'read.sh', `touch ran-in-dontAsk\n${readState(host.known)}`),
          script(at, 'change.sh', `touch ran-in-dontAsk\n${change}`),
        ],
      })
      expect(decided).toEqual(['Bash: deny mode', 'Bash: deny mode'])
      expect(asked).toEqual([])
      expect(results.map(({ isError }) => isError)).toEqual([true, true])
      expect(existsSync(join(box.path, 'ran-in-dontAsk'))).toBe(false)
    },
    minutes,
  )

  it('change nothing outside, nor what is obeyed outside', async () => {
    expect(await host.state()).toEqual(before)
    expect(readdirSync(join(box.path, '.git', 'hooks'))).toEqual([])
    expect(readFileSync(join(box.path, '.git', 'config'), 'utf8')).toBe('')
    expect(readFileSync(join(box.path, '.git', 'index'), 'utf8')).toBe('free\n')
    expect(readFileSync(join(box.path, '.claude', 'settings.json'), 'utf8')).toBe('{}')
    expect(readFileSync(join(box.path, '.mcp.json'), 'utf8')).toBe('{}')
    expect(readdirSync(join(`${host.home}-containers`, box.id, 'config', 'projects'))).toHaveLength(1)
  })
})
