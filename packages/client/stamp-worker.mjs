// Each build has a service worker with a cache of its own: what an earlier build kept, or was made to keep, is not served any more.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const placeholder = 'BUILD_ID'

/** Writes into sw.js what the build is: the names of its files, which have the hash of their content in them, and the document. */
export function stampWorker(folder) {
  const file = join(folder, 'sw.js')
  const text = readFileSync(file, 'utf8')
  if (text.split(placeholder).length !== 2) throw new Error(`sw.js has not one ${placeholder} in it.`)
  const hash = createHash('sha256')
  for (const name of readdirSync(join(folder, 'assets')).sort()) hash.update(`${name}\n`)
  hash.update(readFileSync(join(folder, 'index.html')))
  writeFileSync(file, text.replace(placeholder, hash.digest('hex').slice(0, 16)))
}
