/**
 * The thread of one module: loads it, and serves its tools with the SDK. The port comes in a message of its own, so that a module which
 * uses `parentPort` disturbs nobody.
 */
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createSdkMcpServer, type ServerConnection } from 'claude-code-agent'
import { toThrownError } from '../thrown-error.ts'
import type { FromWorker, LoadedTool, ToWorker, WorkerSetup } from '../worker-messages.ts'
import { exportedTools } from './exported-tools.ts'
import { guardRequire } from './guard-require.ts'

const defaultTimeoutMs = 60_000

const setup = workerData as WorkerSetup
register(new URL('./import-hooks.js', import.meta.url), { data: setup })
if (setup.approved) guardRequire({ ...setup.approved }, [...setup.ownFolders])
parentPort?.once('message', ({ port }: { port: MessagePort }) => serve(port))

function serve(port: MessagePort): void {
  let connection: ServerConnection | undefined
  const post = (message: FromWorker) => port.postMessage(message)
  port.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'warm':
        // What most modules import takes longer than the rest together. Whoever needs it gets the error.
        import('zod').catch(() => {})
        break
      case 'load':
        load(message.file).then(
          (loaded) => {
            connection = loaded.connection
            post({ type: 'ready', tools: loaded.tools })
          },
          (error) => post({ type: 'failed', error: toThrownError(error) }),
        )
        break
      case 'call': {
        const { id, params } = message
        const request = { jsonrpc: '2.0' as const, id, method: 'tools/call', params }
        // What a handler returns is JSON by now, and the SDK never rejects.
        void connection
          ?.handle(request)
          .then((answer) => post({ type: 'answer', id, json: JSON.stringify(answer) }))
        break
      }
      case 'cancel': {
        const params = { requestId: message.id }
        void connection?.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
        break
      }
      case 'ping':
        post({ type: 'pong' })
        break
    }
  })
}

async function load(file: string): Promise<{ connection: ServerConnection; tools: LoadedTool[] }> {
  const exports: Record<string, unknown> = await import(pathToFileURL(file).href)
  const tools = exportedTools(exports)
  const connection = createSdkMcpServer({ name: 'tools', tools }).connect({ sessionId: '', send: () => {} })
  const answer = await connection.handle({ jsonrpc: '2.0', id: 0, method: 'tools/list' })
  if (!answer?.result) throw new Error(answer?.error?.message ?? 'Its tools cannot be listed')
  const { tools: definitions } = answer.result as { tools: Record<string, unknown>[] }
  const timeouts = new Map(tools.map((tool) => [tool.name, tool.timeoutMs ?? defaultTimeoutMs]))
  return {
    connection,
    tools: definitions.map((definition) => {
      const name = String(definition.name)
      return { definition, name, timeoutMs: timeouts.get(name) ?? defaultTimeoutMs }
    }),
  }
}
