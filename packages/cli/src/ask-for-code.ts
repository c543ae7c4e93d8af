/** Asks the running server for a sign-in code, by the socket in its state folder: no agent's command gets there. */
import { connect } from 'node:net'
import { join } from 'node:path'
import { type CodeRequest, codeAnswerSchema, codeSocketName } from '@dorkos/shared'
import { CliError } from './cli-error.ts'
import type { CliContext, OutputStream } from './context.ts'
import { exitCodes } from './exit-codes.ts'

export interface SignInCode {
  code: string
  expires_at: string
}

const answerMs = 10_000
const longestAnswer = 64 * 1024

/** Throws `CliError` with what to do: where nothing listens, and what the server said where it refuses. */
export async function askForCode(home: string, form: CodeRequest['form']): Promise<SignInCode> {
  const path = join(home, codeSocketName)
  const line = await exchange(path, JSON.stringify({ form })).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${path} doesn’t respond (${error.code ?? error.message}). ${whatElse(error.code)}`)
  })
  const answer = codeAnswerSchema.parse(JSON.parse(line))
  if ('error' in answer) throw new CliError(answer.error)
  return answer
}

/** Where a code may be shown: to a person's eyes, never to a file or another program. */
export function screenOf({ stdout, stderr }: Pick<CliContext, 'stdout' | 'stderr'>): OutputStream {
  const screen = [stdout, stderr].find(({ isTTY }) => isTTY === true)
  if (screen) return screen
  throw new CliError(
    'Codes are only shown in a terminal, because a file or log would keep them. Run this command in one (in a container: `docker exec -it …`).',
    exitCodes.usage,
  )
}

function whatElse(code: string | undefined): string {
  if (code === 'EACCES') return 'Run this command as the user who started the server.'
  return 'Check the server’s log for whether the socket could be created. An older server doesn’t have one: restart it.'
}

function exchange(path: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(`${request}\n`))
    let text = ''
    socket.setTimeout(answerMs, () => socket.destroy(new Error('no answer in time')))
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.length > longestAnswer) socket.destroy(new Error('the answer is too long'))
    })
    socket.once('error', reject)
    socket.once('close', () => (text === '' ? reject(new Error('no answer')) : resolve(text)))
  })
}
