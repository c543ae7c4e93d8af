/**
 * Every error the SDK throws. Branch on `code` (or `instanceof`), never on the message: what went wrong is
 * in fields. `isClaudeCodeAgentError` also recognises errors from another copy of this package.
 */
const brand = Symbol.for('claude-code-agent.error')

export type ErrorCode =
  | 'CLI_NOT_FOUND'
  | 'CLI_VERSION'
  | 'CLI_CONNECTION'
  | 'CLI_EXIT'
  | 'CWD_NOT_FOUND'
  | 'INVALID_OPTIONS'
  | 'TOOL_EXECUTION'
  | 'TOOL_DEFINITION'
  | 'MCP_SERVER_IN_USE'
  | 'CONTROL_PROTOCOL'
  | 'SESSION_STATE'
  | 'SESSION_NOT_FOUND'
  | 'RESULT'
  | 'TIMEOUT'
  | 'ABORTED'

export class ClaudeCodeAgentError extends Error {
  readonly code: ErrorCode

  constructor(message: string, code: ErrorCode, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    Object.defineProperty(this, 'name', { value: new.target.name, enumerable: false, configurable: true })
    Object.defineProperty(this, brand, { value: true, enumerable: false })
  }
}

/** True for errors of this package, also of another installed copy of it. */
export function isClaudeCodeAgentError(value: unknown): value is ClaudeCodeAgentError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true
}

/** No Claude Code binary at the given place, or at any of the places that were searched. */
export class CLINotFoundError extends ClaudeCodeAgentError {
  readonly path: string
  /** Every place that was searched, in order. */
  readonly searched: readonly string[]

  constructor(path: string, searched: readonly string[] = [path]) {
    const alsoSearched = searched.length > 1 ? ` (looked at: ${searched.join(', ')})` : ''
    super(
      `Claude Code CLI not found at: ${path}${alsoSearched}. Install it with \`npm install @anthropic-ai/claude-agent-sdk\`, ` +
        'or set the option `cliPath` or the variable CLAUDE_CODE_PATH.',
      'CLI_NOT_FOUND',
    )
    this.path = path
    this.searched = searched
  }
}

/** The binary is older than the oldest version that this SDK works with. */
export class CLIVersionError extends ClaudeCodeAgentError {
  readonly version: string
  readonly minimum: string

  constructor(version: string, minimum: string, path: string) {
    super(
      `Claude Code CLI ${version} at ${path} is too old: ${minimum} or newer is needed. Update it with \`claude update\`.`,
      'CLI_VERSION',
    )
    this.version = version
    this.minimum = minimum
  }
}

/** The process could not be started, or the line to it is closed. */
export class CLIConnectionError extends ClaudeCodeAgentError {
  constructor(reason: string, options?: { cause?: unknown; code?: 'CLI_CONNECTION' | 'CLI_EXIT' }) {
    super(`Failed to connect to Claude Code CLI: ${reason}`, options?.code ?? 'CLI_CONNECTION', options)
  }
}

/** The working directory does not exist or is not a directory. */
export class WorkingDirectoryError extends ClaudeCodeAgentError {
  readonly cwd: string

  constructor(cwd: string, reason: string) {
    super(`Working directory ${cwd} cannot be used: ${reason}`, 'CWD_NOT_FOUND')
    this.cwd = cwd
  }
}

/** The CLI process ended while it was still needed. */
export class CLIExitError extends CLIConnectionError {
  readonly exitCode: number | null
  readonly signal: string | null
  /** The end of what the process wrote to stderr. */
  readonly stderrTail: string
  /** The last `result` message before the end, as the CLI sent it. */
  readonly lastResult: Record<string, unknown> | undefined

  constructor(exit: {
    exitCode: number | null
    signal: string | null
    stderrTail: string
    lastResult?: Record<string, unknown> | undefined
    during?: string
  }) {
    const how = exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.exitCode}`
    const when = exit.during ? ` during ${exit.during}` : ''
    const tail = exit.stderrTail.trim()
    super(`the process ${how}${when}${tail ? `: ${tail}` : ' and wrote nothing to stderr'}`, {
      code: 'CLI_EXIT',
    })
    this.exitCode = exit.exitCode
    this.signal = exit.signal
    this.stderrTail = exit.stderrTail
    this.lastResult = exit.lastResult
  }
}

/** A tool's handler failed. The model gets the error; the session goes on. */
export class ToolExecutionError extends ClaudeCodeAgentError {
  readonly toolName: string

  constructor(toolName: string, message: string, options?: { cause?: unknown }) {
    super(`Tool '${toolName}' failed: ${message}`, 'TOOL_EXECUTION', options)
    this.toolName = toolName
  }
}

/** A tool, or a set of tools or servers, is refused as it was declared. */
export class ToolDefinitionError extends ClaudeCodeAgentError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, 'TOOL_DEFINITION', options)
  }
}

/** An MCP server instance serves one session; a second one asked for it. */
export class McpServerInUseError extends ClaudeCodeAgentError {
  readonly serverName: string

  constructor(serverName: string) {
    super(
      `MCP server instance '${serverName}' already serves a session. Pass a factory (\`instance: () => new McpServer(…)\`) ` +
        'or a server made with createSdkMcpServer(), which serves many.',
      'MCP_SERVER_IN_USE',
    )
    this.serverName = serverName
  }
}

/** Options that contradict each other or cannot work. */
export class InvalidOptionsError extends ClaudeCodeAgentError {
  constructor(message: string) {
    super(message, 'INVALID_OPTIONS')
  }
}

/** The CLI answered a control request with an error, or said something that is not the protocol. */
export class ControlProtocolError extends ClaudeCodeAgentError {
  /** The control request that failed, such as `set_model`. */
  readonly subtype: string | undefined
  /** The CLI's own code, such as `invalid_mode`. */
  readonly errorCode: string | undefined

  constructor(message: string, details: { subtype?: string; errorCode?: string; cause?: unknown } = {}) {
    super(`Control protocol error: ${message}`, 'CONTROL_PROTOCOL', details)
    this.subtype = details.subtype
    this.errorCode = details.errorCode
  }
}

/** The call does not fit the state that the session is in. */
export class SessionStateError extends ClaudeCodeAgentError {
  readonly state: string

  constructor(message: string, state: string) {
    super(message, 'SESSION_STATE')
    this.state = state
  }
}

/** No session of that id is known. */
export class SessionNotFoundError extends ClaudeCodeAgentError {
  readonly sessionId: string

  constructor(sessionId: string, detail = 'no transcript of that id was found') {
    super(`Session ${sessionId}: ${detail}`, 'SESSION_NOT_FOUND')
    this.sessionId = sessionId
  }
}

/** A turn ended with an error result; the result is attached. */
export class ResultError extends ClaudeCodeAgentError {
  readonly subtype: string
  readonly terminalReason: string | undefined
  readonly sessionId: string | undefined
  /** The CLI's result message. Not enumerable: it is long, and would fill every log line. */
  declare readonly result: Record<string, unknown>

  constructor(result: Record<string, unknown>) {
    const errors = Array.isArray(result.errors) ? result.errors.map(String).join('; ') : ''
    const text = typeof result.result === 'string' ? result.result : ''
    const subtype = String(result.subtype ?? 'unknown')
    const terminalReason = typeof result.terminal_reason === 'string' ? result.terminal_reason : undefined
    // An error can come with the subtype `success`: then the reason says more.
    const kind = subtype === 'success' ? (terminalReason ?? 'error') : subtype
    super(`Claude Code returned an error result (${kind}): ${errors || text || 'no details given'}`, 'RESULT')
    this.subtype = subtype
    this.terminalReason = terminalReason
    this.sessionId = typeof result.session_id === 'string' ? result.session_id : undefined
    Object.defineProperty(this, 'result', { value: result, enumerable: false })
  }
}

export class TimeoutError extends ClaudeCodeAgentError {
  readonly operation: string
  readonly timeoutMs: number

  constructor(operation: string, timeoutMs: number) {
    super(`Operation '${operation}' timed out after ${timeoutMs}ms`, 'TIMEOUT')
    this.operation = operation
    this.timeoutMs = timeoutMs
  }
}

/** The caller's own abort signal ended the operation. */
export class AbortError extends ClaudeCodeAgentError {
  constructor(message = 'The operation was aborted', options?: { cause?: unknown }) {
    super(message, 'ABORTED', options)
  }
}
