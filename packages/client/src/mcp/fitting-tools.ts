import type { McpTool } from './server-state.ts'

/** Tools that have every word somewhere in their name, title or description; those whose name has them come first. Pure. */
export function fittingTools(tools: readonly McpTool[], search: string): McpTool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...tools]
  const has = (these: readonly string[], where: string) => these.every((word) => where.includes(word))
  const found = tools.filter(({ name, title = '', description = '' }) =>
    has(words, `${name}\n${title}\n${description}`.toLowerCase()),
  )
  const isNamed = ({ name }: McpTool) => has(words, name.toLowerCase())
  return [...found.filter(isNamed), ...found.filter((tool) => !isNamed(tool))]
}
