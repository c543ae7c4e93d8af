/** JSON Schemas that answers have to match. What checks them is loaded with the first. */
import type { Ajv2020 } from 'ajv/dist/2020.js'

let loading: Promise<Ajv2020> | undefined

/** Without code of its own that stays: a schema of a stranger is compiled, used, and forgotten. */
async function validator(): Promise<Ajv2020> {
  loading ??= import('ajv/dist/2020.js').then(
    ({ Ajv2020: Validator }) =>
      new Validator({ strict: false, allErrors: true, validateFormats: false, addUsedSchema: false }),
  )
  return loading
}

/** Why no answer could fit it; undefined where one can. The CLI gives the schema to the model as a tool, whose input is an object. */
export async function schemaFault(schema: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  if (schema.type !== 'object') return 'its root must be of the type ‘object’'
  const ajv = await validator()
  try {
    if (!ajv.validateSchema(schema)) return ajv.errorsText(ajv.errors, { dataVar: 'schema' })
    ajv.compile(schema)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    ajv.removeSchema(schema)
  }
}
