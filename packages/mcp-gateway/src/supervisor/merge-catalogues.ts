import { isDeepStrictEqual } from 'node:util'
import type { Catalogue, CatalogueTool } from '../catalogue/catalogue.ts'

/**
 * What a server offers over all of its connections, for people: what the shared one lists, and the tools and instructions of others where
 * they differ. Later ones go before earlier ones, since what came last is what somebody has to review. Pure.
 */
export function mergeCatalogues(listed: Catalogue, laterLast: readonly Catalogue[]): Catalogue {
  const others = laterLast.filter((one) => one !== listed)
  if (others.length === 0) return listed
  const tools = new Map<string, CatalogueTool>()
  let instructions: string | undefined
  for (const one of laterLast.includes(listed) ? laterLast : [listed, ...laterLast]) {
    for (const tool of one.tools)
      if (!isDeepStrictEqual(tools.get(tool.name), tool)) tools.set(tool.name, tool)
    instructions = one.instructions ?? instructions
  }
  const byName = [...tools.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  return { ...listed, tools: byName, instructions }
}
