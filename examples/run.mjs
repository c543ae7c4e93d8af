// npm run example -- <story> [--demo] [arguments]
// With --demo a scripted model answers, so that an example can be seen without a key.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const [story = '', ...rest] = process.argv.slice(2)
const stories = readdirSync(here).filter((name) => existsSync(join(here, name, 'main.ts')))
if (!stories.includes(story)) {
  console.error(`Usage: npm run example -- <${stories.join(' | ')}> [--demo]`)
  process.exit(1)
}

// Installs and builds what is missing.
await import('../scripts/ensure-built.mjs')

const compiled = join(here, 'dist', story)
const args = rest.filter((argument) => argument !== '--demo')
const offline = args.length < rest.length ? await startDemo() : undefined
const child = spawn(process.execPath, [join(compiled, 'main.js'), ...args], {
  // The story's own folder, where its sample data is; a demo gets a copy that is thrown away.
  cwd: offline?.cwd ?? join(here, story),
  env: offline?.env ?? process.env,
  stdio: 'inherit',
})
// Ctrl-C is for the example; this process waits for it to end.
process.on('SIGINT', () => {})
child.on('close', async (code) => {
  await offline?.dispose()
  process.exitCode = code ?? 1
})

async function startDemo() {
  const { startOffline } = await import('@dorkos/testkit')
  const { script } = await import(pathToFileURL(join(compiled, 'demo.js')).href)
  console.log(
    'Demo: a scripted model answers. Set ANTHROPIC_API_KEY and leave out --demo for the real one.\n',
  )
  const offline = await startOffline(script)
  const data = join(here, story, 'data')
  if (existsSync(data)) cpSync(data, join(offline.cwd, 'data'), { recursive: true })
  return offline
}
