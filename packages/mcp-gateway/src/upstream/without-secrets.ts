/** Values that a server gave, without what it was given to be reached with: a server may repeat its token, and an agent would read it. */

/** Shorter ones are words that occur anyway. */
const shortest = 8

export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const longEnough = secrets.filter((secret) => secret.length >= shortest)
  if (longEnough.length === 0 || value === undefined) return value
  const text = JSON.stringify(value)
  const found = longEnough.filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1)))
  // The longest first: one may be part of another.
  return found.length === 0
    ? value
    : (cleaned(
        value,
        found.toSorted((one, other) => other.length - one.length),
      ) as T)
}

function cleaned(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), value)
  if (Array.isArray(value)) return value.map((item) => cleaned(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleaned(key, secrets), cleaned(item, secrets)]),
  )
}
