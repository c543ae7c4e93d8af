/** Paths in the configuration: `~/` is the owner's home; a relative one has a meaning on the command line only. */
import { isAbsolute, join, normalize, resolve } from 'node:path'
import { pathKeys, valueAt, withValue } from './config-keys.ts'

export interface PathBase {
  ownerHome: string
  /** Relative paths of variables and flags start here. */
  cwd: string
}

export interface RelativePath {
  path: PropertyKey[]
  value: string
}

/** A copy with absolute paths, and those that could not be made absolute. */
export function resolvePaths(
  value: Record<string, unknown>,
  fromFile: (key: string) => boolean,
  base: PathBase,
): { value: Record<string, unknown>; relative: RelativePath[] } {
  const relative: RelativePath[] = []
  let resolved = value
  for (const key of pathKeys) {
    const steps = key.split('.')
    const found = valueAt(resolved, steps)
    const cwd = fromFile(key) ? undefined : base.cwd
    const absolute = (path: unknown, at: PropertyKey[]): unknown => {
      if (typeof path !== 'string' || path === '') return path
      const made = toAbsolute(path, base.ownerHome, cwd)
      if (made === undefined) relative.push({ path: at, value: path })
      return made ?? path
    }
    if (found === undefined) continue
    const made = Array.isArray(found)
      ? found.map((path, index) => absolute(path, [...steps, index]))
      : absolute(found, steps)
    resolved = withValue(resolved, steps, made)
  }
  return { value: resolved, relative }
}

function toAbsolute(path: string, ownerHome: string, cwd: string | undefined): string | undefined {
  if (path === '~') return ownerHome
  if (path.startsWith('~/')) return join(ownerHome, path.slice(2))
  if (isAbsolute(path)) return normalize(path)
  return cwd === undefined ? undefined : resolve(cwd, path)
}
