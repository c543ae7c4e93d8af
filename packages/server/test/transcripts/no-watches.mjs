// For `--import`: a system that has no watches left, in every thread.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

fs.watch = () => {
  throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
    code: 'ENOSPC',
  })
}
syncBuiltinESMExports()
