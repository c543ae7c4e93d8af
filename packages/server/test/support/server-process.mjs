/**
 * A server in a process of its own, for tests and drills that kill it. Takes one argument, JSON: `cwd`, `port`, `graceMs`, how long a stop
 * waits for turns that run, and `crashAt`: `send` dies in place of sending a message to the CLI. SIGTERM ends it as Ctrl-C does.
 */
import { ClaudeCodeAgent } from 'claude-code-agent'
import { startServer } from '../../dist/start-server.js'

const { cwd, port, graceMs, crashAt } = JSON.parse(process.argv[2])

if (crashAt === 'send') {
  const { startSession } = ClaudeCodeAgent.prototype
  ClaudeCodeAgent.prototype.startSession = async function (options) {
    const session = await startSession.call(this, options)
    session.send = () => {
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => {})
    }
    return session
  }
}

try {
  const server = await startServer({ env: process.env, flags: { '--port': String(port) }, cwd })
  const stop = (options) =>
    server.close(options).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  process.on('SIGTERM', () => stop({ graceMs }))
  // Whoever started it is gone.
  process.on('disconnect', () => stop({ graceMs: 0 }))
  process.send({ url: server.url, port: server.port, token: await server.ownToken() })
} catch (error) {
  process.send({ error: error instanceof Error ? error.message : String(error) })
  process.exitCode = 1
}
