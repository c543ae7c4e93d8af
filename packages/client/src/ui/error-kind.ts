/** Whether an error is about a part of the page that could not be loaded: each browser says it in its own words. */
const phrases = [
  'dynamically imported module',
  'importing a module script failed',
  'unable to preload css',
  'error loading chunk',
]

export function isMissingPart(error: unknown): boolean {
  const message = error instanceof Error ? error.message.toLowerCase() : ''
  return phrases.some((phrase) => message.includes(phrase))
}
