/** One tool, as it can be shown to the model. */
import { isRecord } from '@dorkos/processes'
import type { CatalogueTool, Definition } from './catalogue.ts'
import { cleanBounded, cleanFields, LeftOut, type Note, quote } from './clean-definition.ts'
import { UncleanValue } from './clean-json.ts'
import { schemaFault } from './schema-fault.ts'

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/
const OWN_FIELDS = new Set(['name', 'inputSchema', 'outputSchema'])
/** What the model's API takes for the names of arguments. */
const ARGUMENT_NAME = /^[A-Za-z0-9_.-]{1,64}$/
const UNIONS = ['allOf', 'anyOf', 'oneOf']

/** Throws LeftOut. */
export function cleanTool(raw: Readonly<Record<string, unknown>>, note: Note): CatalogueTool {
  const { name } = raw
  if (typeof name !== 'string' || !TOOL_NAME.test(name))
    throw new LeftOut('its name is not 1 to 128 of the characters A-Z a-z 0-9 _ . -')
  const inputSchema = cleanInputSchema(raw.inputSchema, note)
  const outputSchema = cleanOutputSchema(raw.outputSchema, note)
  return {
    name,
    ...cleanFields(raw, OWN_FIELDS, note),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
  }
}

function cleanInputSchema(raw: unknown, note: Note): Definition {
  const schema = objectSchema(raw, 'its inputSchema', (reason) => {
    throw new LeftOut(reason)
  })
  const { properties } = schema
  const argument = isRecord(properties)
    ? Object.keys(properties).find((key) => !ARGUMENT_NAME.test(key))
    : undefined
  if (argument !== undefined)
    throw new LeftOut(
      `the model's API takes no argument named ${quote(argument)} (1 to 64 of A-Z a-z 0-9 _ . -)`,
    )
  return withoutUnions(schema, note)
}

/** The model's API takes no union at the top of a schema. The server still checks what it is called with. */
function withoutUnions(schema: Definition, note: Note): Definition {
  const unions = UNIONS.filter((keyword) => Object.hasOwn(schema, keyword))
  if (unions.length === 0) return schema
  const names = unions.join(' and ')
  if (!isRecord(schema.properties) || Object.keys(schema.properties).length === 0)
    throw new LeftOut(`its inputSchema says all in ${names} at the top, where the model's API takes none`)
  note(`the model is not told the ${names} at the top of its inputSchema: its API takes none there`)
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !unions.includes(key)))
}

/** A tool works without it; with a broken one, clients refuse the whole list. */
function cleanOutputSchema(raw: unknown, note: Note): Definition | undefined {
  if (raw === undefined) return undefined
  let schema: Definition | undefined
  try {
    schema = objectSchema(raw, 'its outputSchema', (reason) => {
      throw new UncleanValue(reason)
    })
  } catch (error) {
    if (!(error instanceof UncleanValue)) throw error
    note(`${error.message}; it is offered without`)
  }
  return schema
}

function objectSchema(raw: unknown, what: string, refuse: (reason: string) => never): Definition {
  if (!isRecord(raw) || raw.type !== 'object') return refuse(`${what} is not a schema of type object`)
  let clean: unknown
  try {
    // The dialect is that of the reader; a declared older one makes some clients refuse the schema.
    clean = cleanBounded({ ...raw, $schema: undefined })
  } catch (error) {
    if (error instanceof UncleanValue) return refuse(`${what} ${error.message}`)
    throw error
  }
  const schema = clean as Definition
  const fault = schemaFault(schema, 'inputSchema')
  if (fault !== undefined) return refuse(`${what} is no valid JSON Schema (2020-12): ${quote(fault)}`)
  return schema
}
