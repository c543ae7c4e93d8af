/** Reads the configuration file, and nothing but a plain file of a sensible size. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

const MAX_BYTES = 1024 * 1024

/**
 * Undefined when there is none. A link is refused: it could lead to a place where agents can write, and who writes the
 * configuration decides what agents may do.
 */
export function readConfigFile(file: string): string | undefined {
  let handle: number
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for ever.
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw refused(
      file,
      code === 'ELOOP' ? 'is a symbolic link; put the file itself there' : `cannot be read (${code})`,
    )
  }
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile()) throw refused(file, 'is not a plain file')
    if (stat.size > MAX_BYTES) throw refused(file, 'is larger than 1 MiB')
    return readFileSync(handle, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw refused(file, `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  } finally {
    closeSync(handle)
  }
}

function refused(file: string, why: string): ConfigError {
  return new ConfigError([{ path: '', message: `the configuration file ${why}`, location: file }])
}
