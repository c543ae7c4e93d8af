/**
 * The page in a language of its own: every word of its text objects stands between ⟦ and ⟧, the server's sentences among them. Built like the
 * page itself, but for those modules; so what is outside of the marks is not in them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const client = new URL('../../', import.meta.url).pathname
const module = join(client, 'test/support/mark.ts')

/** Where it is; `remove` it when done. */
export async function buildMarkedPage(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'dorkos-marked-'))
  await build({
    configFile: join(client, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [marking()],
    build: { outDir: folder, minify: false },
  })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Each text object is exported marked. */
function marking(): Plugin {
  return {
    name: 'marking',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]src[\\/]text[\\/]en[\\/][\w-]+\.ts$/ },
      handler: (code) => ({ code: withMarks(code), map: null }),
    },
  }
}

function withMarks(code: string): string {
  const names: string[] = []
  const plain = code
    .replace(/^export \{ (\w+) as (\w+) \} from (.+)$/gm, (_, name: string, as: string, from: string) => {
      names.push(as)
      return `import { ${name} as ${as}_ } from ${from}`
    })
    .replace(/^export const (\w+)/gm, (_, name: string) => {
      names.push(name)
      return `const ${name}_`
    })
  if (names.length === 0) throw new Error('a text module without a text object')
  const exported = names.map((name) => `export const ${name} = mark(${name}_)`)
  return [`import { mark } from ${JSON.stringify(module)}`, plain, ...exported].join('\n')
}
