import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether the linter accepts a file with this text at that path. */
function isAccepted(path: string, text: string): boolean {
  const { status } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', `--stdin-file-path=${path}`], {
    cwd: root,
    input: text,
  })
  return status === 0
}

describe('import directions', () => {
  it.each([
    ['packages/claude-code-agent/src/x.ts', '@dorkos/testkit'],
    ['packages/claude-code-agent/src/x.ts', '@dorkos/scripted-model'],
    ['packages/scripted-model/src/x.ts', 'claude-code-agent'],
    ['packages/scripted-model/src/x.ts', '@dorkos/testkit'],
    ['packages/testkit/src/x.ts', 'claude-code-agent'],
  ])('%s must not import %s', (path, target) => {
    expect(isAccepted(path, `export { a } from '${target}'\n`)).toBe(false)
  })

  it('testkit may import scripted-model', () => {
    expect(isAccepted('packages/testkit/src/x.ts', `export { a } from '@dorkos/scripted-model'\n`)).toBe(true)
  })
})

describe('the lock file', () => {
  it('names no download host', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/)
  })
})

describe('published packages', () => {
  it.each(readdirSync(join(root, 'packages')))(
    '%s has a licence, a readme and the same version as the others',
    (name) => {
      const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      expect(manifest).toMatchObject({ license: 'MIT', type: 'module', version })
      expect(readdirSync(join(root, 'packages', name))).toEqual(
        expect.arrayContaining(['LICENSE', 'README.md']),
      )
    },
  )
})
