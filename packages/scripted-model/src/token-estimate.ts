/** Tokens of a JSON value, at four characters each: the same number for the same value, at least one. */
export function estimateTokens(value: unknown): number {
  return Math.max(1, Math.ceil((JSON.stringify(value) ?? '').length / 4))
}

/** What a request body costs as input: what the model reads, and not how it is asked to answer. */
export function estimateInputTokens(body: Record<string, unknown>): number {
  return estimateTokens([body.system, body.messages, body.tools])
}
