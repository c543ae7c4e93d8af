/** A path as people of the project say it: without the session's own directory in front. */
export function relativePath(path: string, cwd: string | undefined): string {
  if (cwd === undefined || cwd === '' || cwd === '/') return path
  const base = cwd.replace(/(?<![\\/])[\\/]+$/, '')
  if (path === base) return '.'
  const next = path.charAt(base.length)
  return path.startsWith(base) && (next === '/' || next === '\\') ? path.slice(base.length + 1) : path
}
