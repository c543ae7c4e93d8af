// `npm run sizes`: lines per source file (median, p90, largest) of each package, tests left out.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = execFileSync('git', ['ls-files', 'packages/*/src/*.ts', 'packages/*/src/*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))

const packages = groupBy(files)
for (const [name, list] of packages) {
  const sizes = list.map((file) => [readFileSync(`${root}${file}`, 'utf8').split('\n').length, file])
  sizes.sort(([a], [b]) => a - b)
  const at = (share) => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))][0]
  const [most, file] = sizes.at(-1)
  console.log(`${name}: ${sizes.length} files, median ${at(0.5)}, p90 ${at(0.9)}, largest ${most} (${file})`)
}

function groupBy(list) {
  const groups = new Map()
  for (const file of list) groups.set(file.split('/')[1], [...(groups.get(file.split('/')[1]) ?? []), file])
  return groups
}
