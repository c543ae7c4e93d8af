import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { importSpecifiers } from './import-specifiers.ts'
import { moduleGraph } from './module-graph.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function folderOf(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-graph-')))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function graph(folder: string, name: string): Promise<string[]> {
  const [first, ...rest] = (await moduleGraph(join(folder, name))).map((file) => relative(folder, file))
  return [first ?? '', ...rest.sort()]
}

it('finds every way to import by path, and what is imported in turn', async () => {
  const folder = folderOf({
    'tools/a.mjs': `
import { x } from './static.mjs'
import './bare.mjs'
import
  defaulted,
  { more }
from
  "./over-lines.mjs"
export * from './star.mjs'
export { y } from'./close.mjs'
import data from './data.json' with { type: 'json' }
const late = await import('./dynamic.mjs')
const later = import(/* a comment */ \`./template.mjs\`)
import /* one */ // two
  './commented.mjs'
const require = createRequire(import.meta.url)
require('./no-ending'); require("./folder"); require.resolve('./resolved.cjs')
new Worker(new URL('./thread.mjs', import.meta.url))
import 'zod'; import fs from 'node:fs'; import '../outside.mjs'
import './query.mjs?version=1'; import './with%20space.mjs'
`,
    'tools/static.mjs': `import './in-turn.mjs'; import './a.mjs'`,
    ...Object.fromEntries(
      [
        'bare',
        'over-lines',
        'star',
        'close',
        'dynamic',
        'template',
        'commented',
        'in-turn',
        'thread',
        'query',
        'with space',
      ].map((name) => [`tools/${name}.mjs`, '']),
    ),
    'tools/data.json': '{"a":"import \'./never.mjs\'"}',
    'tools/no-ending.js': `require('./deep/from-cjs.cjs')`,
    'tools/deep/from-cjs.cjs': '',
    'tools/folder/index.js': '',
    'tools/resolved.cjs': '',
    'tools/never.mjs': '',
    'outside.mjs': '',
  })
  expect(await graph(folder, 'tools/a.mjs')).toEqual([
    'tools/a.mjs',
    'outside.mjs',
    'tools/bare.mjs',
    'tools/close.mjs',
    'tools/commented.mjs',
    'tools/data.json',
    'tools/deep/from-cjs.cjs',
    'tools/dynamic.mjs',
    'tools/folder/index.js',
    'tools/in-turn.mjs',
    'tools/no-ending.js',
    'tools/over-lines.mjs',
    'tools/query.mjs',
    'tools/resolved.cjs',
    'tools/star.mjs',
    'tools/static.mjs',
    'tools/template.mjs',
    'tools/thread.mjs',
    'tools/with space.mjs',
  ])
})

it('gives real paths, and takes absolute ones', async () => {
  const folder = folderOf({ 'real/b.mjs': `import './c.mjs'`, 'real/c.mjs': '' })
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  const url = pathToFileURL(join(folder, 'link/b.mjs')).href
  writeFileSync(join(folder, 'a.mjs'), `import '${url}'\nimport '${folder}/link/c.mjs'`)
  symlinkSync(join(folder, 'a.mjs'), join(folder, 'again.mjs'))
  expect(await graph(folder, 'again.mjs')).toEqual(['a.mjs', 'real/b.mjs', 'real/c.mjs'])
})

it('leaves out what is not there, and refuses a module that is not there', async () => {
  const folder = folderOf({ 'a.mjs': `import './nowhere.mjs'; import './folder'`, 'folder/x.mjs': '' })
  expect(await graph(folder, 'a.mjs')).toEqual(['a.mjs'])
  await expect(moduleGraph(join(folder, 'nowhere.mjs'))).rejects.toThrow('ENOENT')
  await expect(moduleGraph(join(folder, 'folder'))).rejects.toThrow('EISDIR')
})

it('reads and reveals nothing outside of the folder that it is given, and only plain files', async () => {
  const folder = folderOf({
    'in/a.mjs': `import './b.mjs'; import '../out.mjs'; import './link.mjs'; import './pipe.mjs'`,
    'in/b.mjs': '',
    'out.mjs': `import './in/back.mjs'`,
    'in/back.mjs': '',
  })
  symlinkSync(join(folder, 'out.mjs'), join(folder, 'in/link.mjs'))
  execFileSync('mkfifo', [join(folder, 'in/pipe.mjs')])
  const files = await moduleGraph(join(folder, 'in/a.mjs'), join(folder, 'in'))
  expect(files.map((file) => relative(folder, file))).toEqual(['in/a.mjs', 'in/b.mjs'])
  await expect(moduleGraph(join(folder, 'in/pipe.mjs'))).rejects.toThrow('not a plain file')
})

it('does not read one file that is too large', async () => {
  const large = folderOf({ 'a.mjs': `import './large.mjs'`, 'large.mjs': ' '.repeat(5 * 1024 * 1024) })
  await expect(moduleGraph(join(large, 'a.mjs'))).rejects.toThrow('4 MiB')
})

it('refuses what is too large to be looked through', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`m${index}.mjs`, `import './m${index + 1}.mjs'`]),
  )
  await expect(moduleGraph(join(folderOf(files), 'm0.mjs'))).rejects.toThrow('more than 500 files')
  expect(await moduleGraph(join(folderOf(files), 'm200.mjs'))).toHaveLength(400)
})

it('says on which line an import is', () => {
  expect(importSpecifiers(`\nimport a from './a.mjs'\n\n\nrequire('b')`)).toEqual([
    { text: './a.mjs', isRequire: false, line: 2 },
    { text: 'b', isRequire: true, line: 5 },
  ])
})

it('takes time that grows with the length of the text only', () => {
  for (const part of ['import /* ', 'import\n', 'from //', 'require( /**/ ', "import '", 'new URL(/*']) {
    expect(importSpecifiers(part.repeat(200_000)).length).toBeGreaterThanOrEqual(0)
  }
})
