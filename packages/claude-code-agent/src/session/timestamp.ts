let cachedMs = 0
let cachedText = ''

/** The time in ISO form. Formatting costs as much as the rest of a tool call's record, so it is done once a millisecond. */
export function timestamp(): string {
  const now = Date.now()
  if (now !== cachedMs) {
    cachedMs = now
    cachedText = new Date(now).toISOString()
  }
  return cachedText
}
