/** The floor: the CLI's process, its lines parsed, and nothing else. */

const baseArguments = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']

/**
 * @param {{ cliPath: string, cwd?: string, env?: Record<string, string>, args?: string[] }} launch
 * @param {(message: any) => void} onMessage
 */
export async function startBare({ cliPath, cwd, env, args = [] }, onMessage) {
  const { spawn } = await import('node:child_process')
  const { once } = await import('node:events')
  const child = spawn(cliPath, [...baseArguments, ...args], {
    cwd,
    env: { ...(env ?? process.env), CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') onMessage(JSON.parse(line))
  })
  const closed = once(child, 'close')
  /** @param {object} message */
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  return {
    send,
    /** @param {object} request */
    initialize: (request = {}) =>
      send({
        type: 'control_request',
        request_id: 'initialize',
        request: { subtype: 'initialize', ...request },
      }),
    /** @param {string} content */
    say: (content) =>
      send({
        type: 'user',
        session_id: '',
        message: { role: 'user', content },
        parent_tool_use_id: null,
      }),
    end: async () => {
      child.stdin.end()
      await closed
    },
  }
}
