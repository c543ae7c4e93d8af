/** The answers of the injected tools: JSON as text, bounded, and never an exception. */

export interface ToolAnswer {
  content: [{ type: 'text'; text: string }]
  isError?: true
}

/** What a handler may know of its call. Absent in a plain call from a test. */
export interface ToolCaller {
  readonly sessionId: string
}

const MAX_TEXT = 500

export function answer(value: unknown, indent?: number): ToolAnswer {
  return { content: [{ type: 'text', text: JSON.stringify(value, undefined, indent) }] }
}

function failure(error: unknown, otherwise: string): ToolAnswer {
  const message = error instanceof Error && error.message !== '' ? error.message : otherwise
  return { ...answer({ error: cut(message) }), isError: true }
}

/** A handler that answers with what `work` returns, and with an error result when it throws. `otherwise` is for errors without words. */
export function answering<Args>(
  otherwise: string,
  work: (args: Args, caller: ToolCaller | undefined) => Promise<unknown>,
): (args: Args, caller?: ToolCaller) => Promise<ToolAnswer> {
  return async (args, caller) => {
    try {
      return answer(await work(args, caller))
    } catch (error) {
      return failure(error, otherwise)
    }
  }
}

/** Text from elsewhere: cut, and without control characters that could hide or fake something. */
export function cut(text: string, length = MAX_TEXT): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return plain.length > length ? `${plain.slice(0, length)}…` : plain
}
