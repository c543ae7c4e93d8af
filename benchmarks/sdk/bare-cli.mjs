/** The floor: the CLI's process, its lines parsed, and nothing else. */

const baseArguments = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']

/**
 * @param {{ cliPath: string, cwd?: string, env?: Record<string, string>, args?: string[] }} launch
 * @param {(message: any) => void} onMessage
 */
export async function startBare({ cliPath, cwd, env = {}, args = [] }, onMessage = () => {}) {
  // Not at the top: it would be loaded in every run, and is part of what an import costs.
  const { spawn } = await import('node:child_process')
  const { once } = await import('node:events')
  const child = spawn(cliPath, [...baseArguments, ...args], {
    cwd,
    env: { ...process.env, ...env, CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let rest = ''
  /** @type {Record<string, (() => void) | undefined>} */
  const awaited = {}
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = JSON.parse(line)
      onMessage(message)
      awaited[message.type]?.()
    }
  })
  /** @param {object} message */
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  return {
    send,
    initialize: (request = {}) => {
      const initialize = { subtype: 'initialize', ...request }
      send({ type: 'control_request', request_id: 'initialize', request: initialize })
    },
    /** @param {string} content */
    say: (content) =>
      send({
        type: 'user',
        session_id: '',
        message: { role: 'user', content },
        parent_tool_use_id: null,
      }),
    /**
     * Resolves at the next message of a type. Several come in one go: ask for what follows before awaiting the first.
     *
     * @param {string} type
     * @returns {Promise<void>}
     */
    next: (type) =>
      new Promise((resolve) => {
        awaited[type] = resolve
      }),
    end: async () => {
      child.stdin.end()
      await closed
    },
  }
}
