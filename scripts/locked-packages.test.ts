import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Locked {
  link?: boolean
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}

const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const packages = Object.entries<Locked>(lockfile.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

it('every package that is installed is pinned by its hash, and none runs a script when it is installed', () => {
  expect(packages.length).toBeGreaterThan(100)
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})
