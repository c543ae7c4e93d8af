/** A sign-in code that whoever starts the server gives it, for where nobody sees its terminal: as a variable, or as a file (a container's secret). */
import { readFile, stat } from 'node:fs/promises'
import type { GivenCode } from '../core/auth.ts'
import { ConfigError } from './config-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

const variable = 'DORKOS_SIGN_IN_CODE'
const fileVariable = 'DORKOS_SIGN_IN_CODE_FILE'
const longestFile = 4096
/** What a request may hold, and 128 random bits in base 64. */
const lengths = { least: 22, most: 100 }
const leastDifferent = 8

/**
 * The code, and the environment without it. It also leaves the environment of this process, which programs that it starts would
 * inherit. Throws ConfigError for a code that is too easy to guess, a file that cannot be read, or both at once.
 */
export async function takeGivenCode(
  env: Environment,
): Promise<{ given: GivenCode | undefined; env: Environment }> {
  const { [variable]: code, [fileVariable]: file, ...rest } = env
  for (const name of [variable, fileVariable]) Reflect.deleteProperty(process.env, name)
  if (code && file) throw fault(variable, `it cannot be set together with ${fileVariable}`)
  if (file) return { given: { code: checked(await read(file), fileVariable), from: 'file' }, env: rest }
  return { given: code ? { code: checked(code, variable), from: 'environment' } : undefined, env: rest }
}

async function read(file: string): Promise<string> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw fault(fileVariable, `the file cannot be read (${error.code})`)
  })
  if (!found.isFile() || found.size > longestFile)
    throw fault(fileVariable, 'it must name a file that holds the code and nothing else')
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw fault(fileVariable, `the file cannot be read (${error.code})`)
  })
}

/** The text itself is in no message: it may be a password that somebody uses elsewhere. */
function checked(text: string, location: string): string {
  const code = text.trim()
  const isLong = code.length >= lengths.least && code.length <= lengths.most
  if (isLong && /^[A-Za-z0-9_-]+$/.test(code) && new Set(code).size >= leastDifferent) return code
  throw fault(
    location,
    `the code must be random: ${lengths.least} to ${lengths.most} letters, digits, - and _; \`openssl rand -hex 20\` makes one`,
  )
}

function fault(location: string, message: string): ConfigError {
  return new ConfigError([{ path: '', location, message }])
}
