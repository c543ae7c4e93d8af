// `npm start`: from a fresh clone to a server that runs. Arguments go to `dorkos serve`: npm start -- --port 5000
const startedAt = performance.now()
await import('./ensure-built.mjs')
const tookMs = performance.now() - startedAt
if (tookMs > 5000) console.log(`Ready to start after ${Math.round(tookMs / 1000)} s.`)
process.argv.splice(2, 0, 'serve')
await import('../packages/cli/dist/bundle/main.js')
