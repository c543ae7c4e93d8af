/** What an error is called, for a log: its message could hold a key or what was sent. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = (error as NodeJS.ErrnoException).code
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : error.name
}
