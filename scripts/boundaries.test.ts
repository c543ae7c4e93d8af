import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const forbidden = [
  ['packages/claude-code-agent/src/x.ts', '@dorkos/testkit'],
  ['packages/claude-code-agent/src/x.ts', '@dorkos/scripted-model'],
  ['packages/scripted-model/src/x.ts', 'claude-code-agent'],
  ['packages/scripted-model/src/x.ts', '@dorkos/testkit'],
  ['packages/mcp-gateway/src/x.ts', 'claude-code-agent'],
  ['packages/mcp-gateway/src/x.ts', '@dorkos/shared'],
  ['packages/scripted-model/src/x.ts', '@dorkos/processes'],
  ['packages/processes/src/x.ts', '@dorkos/shared'],
  ['packages/testkit/src/x.ts', 'claude-code-agent'],
  ['packages/shared/src/x.ts', '@dorkos/server'],
  ['packages/shared/src/x.ts', 'node:fs'],
  ['packages/server/src/core/x.ts', '../adapters/sqlite/open-sqlite-store.ts'],
  ['packages/server/src/core/sessions/x.ts', '../../http/app.ts'],
  ['packages/server/src/core/x.ts', 'hono'],
  ['packages/server/src/core/x.ts', '@dorkos/processes'],
  ['packages/server/src/core/x.ts', 'claude-code-agent'],
  ['packages/server/src/core/x.ts', '../tool-host/open-tool-folder.ts'],
  ['packages/server/src/core/mcp/x.ts', '../../model-gateway/model-gateway.ts'],
  ['packages/server/src/core/x.ts', '../config/config-service.ts'],
  ['packages/server/src/core/x.ts', '../credentials/find-model-source.ts'],
  ['packages/server/src/core/x.ts', '../compose/compose.ts'],
  ['packages/server/src/http/x.ts', '../compose/compose.ts'],
  ['packages/server/src/http/x.ts', '../tool-host/open-tool-folder.ts'],
  ['packages/server/src/adapters/claude/x.ts', '../../compose/compose.ts'],
  ['packages/server/src/tool-host/x.ts', '../adapters/system/clock.ts'],
  ['packages/server/src/model-gateway/x.ts', '../adapters/system/clock.ts'],
  ['packages/server/src/config/x.ts', '../adapters/system/clock.ts'],
  ['packages/server/src/credentials/x.ts', '../compose/compose.ts'],
  ['packages/server/src/watching/x.ts', '../adapters/system/clock.ts'],
  ['packages/server/src/http/x.ts', '../adapters/system/clock.ts'],
  ['packages/server/src/adapters/claude/x.ts', '../../http/app.ts'],
  ['packages/server/src/x.ts', './adapters/system/clock.ts'],
  ['packages/server/src/x.ts', './compose/compose.ts'],
  ['packages/cli/src/x.ts', 'claude-code-agent'],
  ['packages/client/src/x.ts', '@dorkos/server'],
  ['packages/client/src/x.ts', 'claude-code-agent'],
  ['packages/client/src/costs/x.ts', '../shell/layout.tsx'],
  ['packages/client/src/approvals/alerts/x.ts', '../../shell/layout.tsx'],
]

const allowed = [
  ['packages/testkit/src/x.ts', '@dorkos/scripted-model'],
  ['packages/claude-code-agent/src/x.ts', '@dorkos/processes'],
  ['packages/mcp-gateway/src/x.ts', '@dorkos/processes'],
  ['packages/client/src/app.tsx', './shell/layout.tsx'],
  ['packages/server/src/start-server.ts', './adapters/system/clock.ts'],
  ['packages/server/src/diagnose.ts', './adapters/system/clock.ts'],
  ['packages/server/src/diagnose-containers.ts', './adapters/system/clock.ts'],
  ['packages/server/src/index.ts', './adapters/system/clock.ts'],
  ['packages/server/src/compose/x.ts', '../adapters/system/clock.ts'],
]

/** Where each import stands: a folder can hold as many files as it has imports to try. */
const files = [...forbidden, ...allowed].map(([path = '', target = ''], index) => ({
  path: path.replace('/x.ts', `/x${index}.ts`),
  text: `export { a } from '${target}'\n`,
}))

/** What the project's linter says of all of them, in a folder of their own. */
function lint(): { checked: string; refused: Set<string> } {
  const folder = mkdtempSync(join(tmpdir(), 'boundaries-'))
  try {
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'))
    for (const { path, text } of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const biome = join(root, 'node_modules/.bin/biome')
    const options = ['--vcs-enabled=false', '--colors=off', '--max-diagnostics=none']
    const { stdout, stderr } = spawnSync(biome, ['lint', ...options, '.'], { cwd: folder, encoding: 'utf8' })
    const refused = [...(stdout + stderr).matchAll(/^(\S+?):\d+:\d+ lint\/style\/noRestrictedImports/gm)]
    return {
      checked: /Checked \d+ files/.exec(stdout + stderr)?.[0] ?? '',
      refused: new Set(refused.map(([, path]) => path ?? '')),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('import directions', () => {
  const { checked, refused } = lint()

  it('are looked at in every file', () => {
    // With the configuration itself.
    expect(checked).toBe(`Checked ${files.length + 1} files`)
  })

  it.each(forbidden.map(([path, target], index) => ({ path, target, index })))(
    '$path must not import $target',
    ({ index }) => {
      expect(refused).toContain(files[index]?.path)
    },
  )

  it.each(allowed.map(([path, target], index) => ({ path, target, index })))(
    '$path may import $target',
    ({ index }) => {
      expect(refused).not.toContain(files[forbidden.length + index]?.path)
    },
  )
})

describe('file watches', () => {
  /** Alone or among others, and the whole module, of which it could be taken. */
  const takesWatch =
    /import\s+(?:\{[^}]*\bwatch(?:File)?\b[^}]*\}|(?:\*\s+as\s+)?\w+)\s+from\s+'(?:node:)?fs(?:\/promises)?'/

  it('are asked of the system in one place', () => {
    const sources = readdirSync(join(root, 'packages')).flatMap((name) => {
      const folder = join('packages', name, 'src')
      const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      return files.filter((file) => /(?<!\.test)\.tsx?$/.test(file)).map((file) => join(folder, file))
    })
    expect(sources.filter((file) => takesWatch.test(readFileSync(join(root, file), 'utf8')))).toEqual([
      'packages/server/src/watching/folder-watches.ts',
    ])
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
      // npm links commands before anything is built.
      for (const file of Object.values<string>(manifest.bin ?? {})) expect(file).not.toContain('dist')
    },
  )
})
