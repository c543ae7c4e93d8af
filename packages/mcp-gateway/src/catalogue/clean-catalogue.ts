/** What a server says it offers → what can be shown to people and models. Never throws; the work grows with the size of the input only. */
import { isRecord } from '@dorkos/processes'
import type { Catalogue, Definition } from './catalogue.ts'
import { cleanBounded, cleanFields, cut, LeftOut, type Note, quote } from './clean-definition.ts'
import { cleanLine, cleanText, hasHiddenCharacters } from './clean-text.ts'
import { cleanTool } from './clean-tool.ts'
import {
  MAX_CATALOGUE_LENGTH,
  MAX_FAULTS,
  MAX_INSTRUCTIONS_LENGTH,
  MAX_NAME_LENGTH,
  MAX_PROMPTS,
  MAX_RESOURCE_TEMPLATES,
  MAX_RESOURCES,
  MAX_TITLE_LENGTH,
  MAX_TOOLS,
  MAX_URI_LENGTH,
} from './limits.ts'

export interface RawCatalogue {
  tools: readonly unknown[]
  resources: readonly unknown[]
  resourceTemplates: readonly unknown[]
  prompts: readonly unknown[]
  instructions: unknown
  capabilities: unknown
}

interface Kind<Item extends Definition> {
  /** "tool", for faults. */
  word: string
  /** The field that distinguishes one from the other. */
  key: string
  limit: number
  /** Names that differ in case only are taken for one another by people; addresses are not. */
  foldsCase: boolean
  /** Throws LeftOut. */
  clean(raw: Readonly<Record<string, unknown>>, note: Note): Item
}

const TOOLS = { word: 'tool', key: 'name', limit: MAX_TOOLS, foldsCase: true, clean: cleanTool }
const RESOURCES = addressed('resource', 'uri', MAX_RESOURCES)
const TEMPLATES = addressed('resource template', 'uriTemplate', MAX_RESOURCE_TEMPLATES)
const PROMPTS = { word: 'prompt', key: 'name', limit: MAX_PROMPTS, foldsCase: true, clean: cleanPrompt }

export function cleanCatalogue(raw: RawCatalogue): Catalogue {
  const faults = new Faults()
  const room = { left: MAX_CATALOGUE_LENGTH }
  return {
    tools: cleanList(TOOLS, read(raw, 'tools'), faults, room),
    resources: cleanList(RESOURCES, read(raw, 'resources'), faults, room),
    resourceTemplates: cleanList(TEMPLATES, read(raw, 'resourceTemplates'), faults, room),
    prompts: cleanList(PROMPTS, read(raw, 'prompts'), faults, room),
    instructions: cleanInstructions(read(raw, 'instructions'), faults),
    capabilities: cleanCapabilities(read(raw, 'capabilities'), faults),
    faults: faults.list(),
  }
}

function cleanList<Item extends Definition>(
  kind: Kind<Item>,
  raw: unknown,
  faults: Faults,
  room: { left: number },
): Item[] {
  if (!Array.isArray(raw)) {
    if (raw !== undefined) faults.add(`The list of ${kind.word}s is not an array`)
    return []
  }
  const kept = new Map<string, Item>()
  const folded = new Map<string, string>()
  let tooMany = 0
  for (const entry of raw) {
    if (kept.size >= kind.limit) {
      tooMany++
      continue
    }
    const named = `${kind.word} ${quote(read(entry, kind.key))}`
    try {
      const item = kind.clean(asRecord(entry), (fault) => faults.add(`${named}: ${fault}`))
      const key = String(item[kind.key])
      checkUnique(key, kind, kept, folded)
      take(item, room)
      kept.set(key, item)
      folded.set(key.toLowerCase(), key)
    } catch (error) {
      faults.add(`${named} is left out: ${error instanceof LeftOut ? error.message : 'it cannot be read'}`)
    }
  }
  if (tooMany > 0) faults.add(`${tooMany} ${kind.word}s are left out: at most ${kind.limit} are taken`)
  return [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}

function checkUnique<Item extends Definition>(
  key: string,
  kind: Kind<Item>,
  kept: ReadonlyMap<string, unknown>,
  folded: ReadonlyMap<string, string>,
): void {
  if (kept.has(key)) throw new LeftOut(`there is another with this ${kind.key}`)
  const alike = kind.foldsCase ? folded.get(key.toLowerCase()) : undefined
  if (alike !== undefined) throw new LeftOut(`it is too easily taken for '${alike}'`)
}

function take(item: Definition, room: { left: number }): void {
  const { length } = JSON.stringify(item)
  if (length > room.left)
    throw new LeftOut(`the server's lists are longer than ${MAX_CATALOGUE_LENGTH} characters together`)
  room.left -= length
}

function addressed(word: string, key: string, limit: number): Kind<Definition> {
  const ownFields = new Set([key, 'name'])
  const clean = (raw: Readonly<Record<string, unknown>>, note: Note): Definition => {
    const address = raw[key]
    if (typeof address !== 'string' || address === '' || address.length > MAX_URI_LENGTH)
      throw new LeftOut(`its ${key} is not a text of 1 to ${MAX_URI_LENGTH} characters`)
    if (hasHiddenCharacters(address)) throw new LeftOut(`its ${key} has hidden characters`)
    const name = typeof raw.name === 'string' ? cleanLine(raw.name) : ''
    return {
      [key]: address,
      name: cut('name', name.trim() === '' ? address : name, MAX_TITLE_LENGTH, note),
      ...cleanFields(raw, ownFields, note),
    }
  }
  return { word, key, limit, foldsCase: false, clean }
}

function cleanPrompt(raw: Readonly<Record<string, unknown>>, note: Note): Definition {
  const { name } = raw
  if (typeof name !== 'string' || name.trim() === '' || name.length > MAX_NAME_LENGTH)
    throw new LeftOut(`its name is not a text of 1 to ${MAX_NAME_LENGTH} characters`)
  if (hasHiddenCharacters(name)) throw new LeftOut('its name has hidden characters')
  const given = raw.arguments
  if (given !== undefined && !(Array.isArray(given) && given.every(isPromptArgument)))
    throw new LeftOut('its arguments are not a list of named arguments')
  return { name, ...cleanFields(raw, new Set(['name']), note) }
}

function isPromptArgument(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    !hasHiddenCharacters(value.name) &&
    (value.description === undefined || typeof value.description === 'string') &&
    (value.required === undefined || typeof value.required === 'boolean')
  )
}

function cleanInstructions(raw: unknown, faults: Faults): string | undefined {
  if (typeof raw !== 'string') return undefined
  const note = (fault: string) => faults.add(`The server: ${fault}`)
  const text = cut('instructions', cleanText(raw), MAX_INSTRUCTIONS_LENGTH, note)
  return text.trim() === '' ? undefined : text
}

function cleanCapabilities(raw: unknown, faults: Faults): Definition {
  if (!isRecord(raw)) return {}
  try {
    return cleanBounded(raw) as Definition
  } catch {
    faults.add('The server: its capabilities are left out, they cannot be read')
    return {}
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new LeftOut('it is not an object')
  return value
}

/** A property of anything; reading may run foreign code where the value did not come from JSON. */
function read(value: unknown, key: string): unknown {
  try {
    return isRecord(value) ? value[key] : undefined
  } catch {
    return undefined
  }
}

class Faults {
  #kept: string[] = []
  #more = 0

  add(fault: string): void {
    if (this.#kept.length < MAX_FAULTS) this.#kept.push(fault)
    else this.#more++
  }

  list(): string[] {
    return this.#more === 0 ? this.#kept : [...this.#kept, `${this.#more} more of this kind`]
  }
}
