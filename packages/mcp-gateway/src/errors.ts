/** Why a call did not come to a result. `code` is the server's JSON-RPC code where it gave one. */
export class McpCallError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, options: { data?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'McpCallError'
    this.code = code
    this.data = options.data
  }
}
