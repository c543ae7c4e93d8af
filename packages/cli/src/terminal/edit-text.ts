/** A text in a person's own editor, in a file that only they can read and that is gone afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { oneLine } from './escape.ts'

export interface EditTextOptions {
  env: Readonly<Record<string, string | undefined>>
  /** Where the file lies meanwhile: the state folder, which agents are kept from. */
  folder: string
  /** What the file is called, for the editor to see its kind; default: `entry.json`. */
  fileName?: string
  /** Ends the editor. */
  signal: AbortSignal
}

/** What the person saved. Throws `CliError` where the editor cannot be started, or ends with a failure. */
export async function editText(
  text: string,
  { env, folder, signal, fileName = 'entry.json' }: EditTextOptions,
): Promise<string> {
  const own = await mkdtemp(join(folder, 'edit-'))
  const file = join(own, fileName)
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' })
    await runEditor(file, env, signal)
    return await readFile(file, 'utf8')
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** The variable may hold arguments (`code --wait`); no shell reads it. */
async function runEditor(
  file: string,
  { DORKOS_TOKEN: _, ...env }: EditTextOptions['env'],
  signal: AbortSignal,
): Promise<void> {
  const words = env.VISUAL?.trim() || env.EDITOR?.trim() || 'vi'
  const [program = 'vi', ...args] = words.split(/\s+/)
  const editor = spawn(program, [...args, file], { env, stdio: 'inherit', signal })
  const [code, by] = await once(editor, 'exit').catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new CliError(
      `Couldn’t start the editor ${oneLine(words, 60)}. Set VISUAL or EDITOR.`,
      undefined,
      error,
    )
  })
  if (code !== 0) throw new CliError(`The editor ended with ${code ?? by}, so nothing was changed.`)
}
