import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSeal } from '../trust-files/trust-key.ts'
import { digestOfHook, withoutTargets } from './hook-digest.ts'

let home: string
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'dorkos-digest-')))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const seal = createSeal(Buffer.alloc(32))
async function put(name: string, content: string): Promise<string> {
  const file = join(home, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  return file
}
function digest(command: string, { file = '/settings.json', roots = [home, join(home, 'project')] } = {}) {
  const hook = { event: 'Stop', kind: 'command', source: 'user', file } as const
  const options = { seal, roots, ownerHome: home, closedFolders: [join(home, 'state')], plugin: undefined }
  return digestOfHook({ hook, matcher: '', config: { type: 'command', command } }, options)
}

describe('the digest of a hook', () => {
  it('changes with what it names: in the home, in the directory where it runs, through a link', async () => {
    await put('outside/real.sh', '1')
    await mkdir(join(home, 'project'), { recursive: true })
    await symlink(join(home, 'outside/real.sh'), join(home, 'project/link.sh'))
    const cases: [string, string][] = [
      ['sh ~/mine.sh', 'mine.sh'],
      ['sh "$CLAUDE_PROJECT_DIR"/lint.sh', 'project/lint.sh'],
      ['sh ./lint2.sh', 'project/lint2.sh'],
      ['sh ./link.sh', 'outside/real.sh'],
    ]
    for (const [command, name] of cases) {
      await put(name, '1')
      const before = await digest(command)
      expect([command, before.scripts]).toEqual([command, [join(home, name)]])
      await put(name, '2')
      expect((await digest(command)).digest).not.toBe(before.digest)
    }
  })

  it('is another for the same command in another file', async () => {
    expect((await digest('true')).digest).not.toBe((await digest('true', { file: '/other.json' })).digest)
  })

  it('stays when only what it writes to changes', async () => {
    await put('log.txt', '1')
    const { digest: before, scripts } = await digest('date >> ~/log.txt')
    expect(scripts).toEqual([])
    await put('log.txt', '2')
    expect((await digest('date >> ~/log.txt')).digest).toBe(before)
  })

  it('is a fault for more than anybody reads, and costs nothing', async () => {
    expect(await digest('1'.repeat(2_000_000))).toMatchObject({ fault: expect.any(String), scripts: [] })
  })
})

it.each([
  ['date > ~/a 2>> b; sh c', 'date   2 ; sh c'],
  ['echo "> x"; sh y', 'echo "> x"; sh y'],
  ['node -e "d=>require(\'~/g.js\')(d)"', 'node -e "d=>require(\'~/g.js\')(d)"'],
  ['echo ->x; sh y', 'echo ->x; sh y'],
  ['cat > >(~/g.sh)', 'cat > >(~/g.sh)'],
  ['cat >$(~/g.sh)', 'cat >$(~/g.sh)'],
])('%j without what it writes to is %j', (text, expected) => {
  expect(withoutTargets(text)).toBe(expected)
})
