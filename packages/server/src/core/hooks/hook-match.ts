/**
 * Whether a call may meet a hook's `if`, which is a permission rule such as `Bash(git push:*)`. The CLI takes commands apart for that; here
 * the hook runs wherever the rule could be meant. So it refuses no less than it should, and cannot be let allow calls.
 */
export function mayMeet(condition: unknown, tool: string, input: Readonly<Record<string, unknown>>): boolean {
  if (typeof condition !== 'string') return true
  const [, name, pattern] = /^([^()]+)(?:\(([\s\S]*)\))?$/.exec(condition.trim()) ?? []
  if (name === undefined) return true
  if (name !== tool && !(name.endsWith('*') && tool.startsWith(name.slice(0, -1)))) return false
  if (pattern === undefined || tool !== 'Bash' || typeof input.command !== 'string') return true
  const start = pattern.split(/:?\*/)[0]?.trim() ?? ''
  return input.command.includes(start)
}
