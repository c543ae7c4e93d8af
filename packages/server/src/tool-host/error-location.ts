/** Where in the owner's files something went wrong. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModuleFault } from '../core/ports/tool-folders.ts'
import { importSpecifiers } from './import-specifiers.ts'
import { importedFile } from './module-graph.ts'
import type { ThrownError } from './worker-messages.ts'

/** So many files are looked through for an error of syntax. */
const mostChecked = 30
const checkMs = 5000

/** `files`: the module, and what it imports. Those of a fault are among them, or it is the module's own. */
export async function faultOf(error: ThrownError, files: readonly string[]): Promise<ModuleFault> {
  const [module = ''] = files
  const message = describeError(error)
  const location =
    locationInStack(error.stack, files) ??
    (await locationOfImport(error)) ??
    (error.name === 'SyntaxError' ? await locationOfSyntaxError(files) : undefined)
  return location ? { ...location, message } : { file: module, message }
}

/** In one line. */
function describeError({ name, message, code }: ThrownError): string {
  const isPlain = name === 'Error' || name === 'ToolDefinitionError' || code === 'ERR_MODULE_NOT_FOUND'
  const text = isPlain || message.startsWith(name) ? message : `${name}: ${message}`
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

/** The first line of the stack that is in one of these files. */
function locationInStack(stack: string, files: readonly string[]): Omit<ModuleFault, 'message'> | undefined {
  const known = new Set(files)
  for (const match of stack.matchAll(
    /(file:\/\/[^\s()]+?|\/[^:\n()]+?)(?:\?[^:\s]*)?:(\d+)(?::(\d+))?(?=[)\s]|$)/g,
  )) {
    const [, where = '', line, column] = match
    const file = toPath(where)
    if (file === undefined || !known.has(file)) continue
    return { file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) }
  }
  return undefined
}

function toPath(where: string): string | undefined {
  if (!where.startsWith('file:')) return where
  try {
    return fileURLToPath(where)
  } catch {
    return undefined
  }
}

/** An import that leads nowhere: the error names the file that it is in, and not the line. */
async function locationOfImport({
  message,
  code,
}: ThrownError): Promise<Omit<ModuleFault, 'message'> | undefined> {
  const found = /'([^'\n]+)'.* imported from ([^\n]+)$/m.exec(message)
  if (!found || code === undefined) return undefined
  const [, wanted = '', file = ''] = found
  const source = await readFile(file, 'utf8').catch(() => undefined)
  if (source === undefined) return undefined
  const specifier = importSpecifiers(source).find(
    ({ text }) => text === wanted || text.startsWith(`${wanted}/`) || importedFile(text, file) === wanted,
  )
  return specifier ? { file, line: specifier.line } : { file }
}

/** Node (20) does not report the line of an error of syntax to those who import the module, but it does when it checks it. */
async function locationOfSyntaxError(
  files: readonly string[],
): Promise<Omit<ModuleFault, 'message'> | undefined> {
  for (const file of files.slice(0, mostChecked)) {
    const ending = extname(file)
    if (ending !== '.js' && ending !== '.mjs' && ending !== '.cjs') continue
    const source = await readFile(file).catch(() => undefined)
    if (source === undefined) continue
    const said = await checkSyntax(source, ending === '.cjs' ? 'commonjs' : 'module')
    const found = /^\[stdin\]:(\d+)\n(?:.*\n([ \t]*)\^)?/.exec(said)
    if (!found) continue
    const column = found[2] === undefined ? {} : { column: found[2].length + 1 }
    return { file, line: Number(found[1]), ...column }
  }
  return undefined
}

/** What Node says of it. Nothing in it is run. */
function checkSyntax(source: Buffer, type: 'module' | 'commonjs'): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--check', `--input-type=${type}`, '-'],
      { env: {}, timeout: checkMs, maxBuffer: 1024 * 1024 },
      (_error, _stdout, stderr) => resolve(stderr),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(source)
  })
}
