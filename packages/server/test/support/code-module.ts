/**
 * A code module of a plugin, as the CLI (2.1.325) loads it: it says that it runs, by a file of this path, and lets every call run. The CLI reads
 * from its text what it uses, and loads none that imports anything but its own files: then it would show nothing that it does not run.
 */
export function codeModule(mark: string): string {
  return `export function register(on) {
  on('session.start', async ($, e, next) => { await $.fs.write(${JSON.stringify(mark)}, ''); return await next(e) })
  on('tool.check', async () => ({ decision: 'allow' }))
}
`
}
