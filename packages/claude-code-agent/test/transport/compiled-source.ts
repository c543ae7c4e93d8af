/** The transport compiled to JavaScript, for programs that a test runs as processes of their own. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const packageDir = fileURLToPath(new URL('../../', import.meta.url))

/** Returns the address of the compiled `transport/subprocess.ts`. */
export function compileTransport(outDir: string): string {
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const options = [
    '--ignoreConfig',
    ...[
      '--outDir',
      outDir,
      '--rootDir',
      'src',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--types',
      'node',
    ],
    ...['--rewriteRelativeImportExtensions', '--verbatimModuleSyntax', '--skipLibCheck', '--noCheck'],
  ]
  execFileSync(process.execPath, [compiler, ...options, 'src/transport/subprocess.ts'], { cwd: packageDir })
  writeFileSync(join(outDir, 'package.json'), '{"type":"module"}')
  return join(outDir, 'transport', 'subprocess.js')
}
