/**
 * Gives sign-in codes to commands of the owner's account. Who can open the socket is whom the state folder lets in: the sandbox and
 * containers keep agents' commands from it, and file tools open no sockets.
 */
import { chmod, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { type CodeAnswer, type CodeRequest, codeRequestSchema, say } from '@dorkos/shared'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'

export interface CodeSocketOptions {
  path: string
  answer(form: CodeRequest['form']): Promise<{ code: string; expires_at: string }>
  logger: Logger
}

const longestRequest = 1024
const idleMs = 5000
const mostConnections = 10

/** Rejects with Node's own error where the socket cannot be made, such as for a path that is too long. */
export async function openCodeSocket(options: CodeSocketOptions): Promise<{ close(): Promise<void> }> {
  const { path, logger } = options
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => {}).setTimeout(idleMs, () => socket.destroy())
    readLine(socket, (line) => void answer(options, line).then((said) => socket.end(`${said}\n`)))
  })
  server.maxConnections = mostConnections
  // What a server left that was killed: the folder is this one's alone.
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject).on('error', (err) => logger.warn({ err }, 'the socket for codes failed'))
      resolve()
    })
  })
  await chmod(path, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

/** Calls back with the first line, once. Whoever sends more than that is cut off. */
function readLine(socket: Socket, found: (line: string) => void): void {
  let text = ''
  const read = (chunk: string) => {
    text += chunk
    const end = text.indexOf('\n')
    if (text.length > longestRequest) socket.destroy()
    else if (end >= 0) {
      socket.off('data', read)
      found(text.slice(0, end))
    }
  }
  socket.setEncoding('utf8').on('data', read)
}

async function answer({ answer, logger }: CodeSocketOptions, line: string): Promise<string> {
  const said = await answerTo(line, answer).catch((error: unknown): CodeAnswer => {
    if (error instanceof AppError) return { error: error.message }
    logger.error({ err: error }, 'a code could not be made')
    return { error: 'The code could not be made; the server’s log says why.' }
  })
  return JSON.stringify(said)
}

async function answerTo(line: string, give: CodeSocketOptions['answer']): Promise<CodeAnswer> {
  const request = codeRequestSchema.safeParse(parse(line))
  if (!request.success) throw new AppError('invalid_request', say('socket_request_unknown'))
  return give(request.data.form)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
