/** A built page in small: every kind of file that the real one has, and things beside it that must not be served. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export const pageTexts = {
  'index.html':
    '<!doctype html><title>page</title><script type="module" src="/assets/main-1a2b.js"></script>',
  'assets/main-1a2b.js': `console.log('main')${' '.repeat(2000)}`,
  'assets/main-1a2b.css': `body { margin: 0 }${' '.repeat(2000)}`,
  'assets/font-1a2b.woff2': 'font',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'manifest.webmanifest': '{"name":"page"}',
  'sw.js': 'self.skipWaiting()',
  'icon-192.png': 'png',
  'diagram/index.html': '<!doctype html><script src="/diagram/diagram.js"></script>',
  'diagram/diagram.js': 'void 0',
} as const

export interface PageFolder {
  folder: string
  remove(): void
}

export function makePageFolder(): PageFolder {
  const root = mkdtempSync(join(tmpdir(), 'dorkos-page-'))
  const folder = join(root, 'page')
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  for (const [name, text] of Object.entries(pageTexts)) write(name, text)
  for (const name of ['index.html', 'assets/main-1a2b.js'] as const) {
    write(`${name}.br`, brotliCompressSync(pageTexts[name]))
    write(`${name}.gz`, gzipSync(pageTexts[name]))
  }
  write('assets/main-1a2b.css.gz', gzipSync(pageTexts['assets/main-1a2b.css']))
  write('.secret', 'hidden')
  write('odd name.js', 'odd')
  writeFileSync(join(root, 'outside.txt'), 'outside')
  symlinkSync(join(root, 'outside.txt'), join(folder, 'link.txt'))
  symlinkSync(root, join(folder, 'linked'))
  return { folder, remove: () => rmSync(root, { recursive: true, force: true }) }
}
