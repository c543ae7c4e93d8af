/** JSON Schemas that an answer has to fit: whether one is any good, and whether a value fits it. The validator is loaded when it is needed. */
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

/** What is wrong with a value, each fault with where it is; empty where it fits. */
export async function outputFaults(
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
): Promise<string[]> {
  const ajv = await validator()
  try {
    const check = ajv.compile(schema)
    if (check(value)) return []
    return (check.errors ?? []).slice(0, 20).map(({ instancePath, message = 'does not fit' }) => {
      const path = instancePath.slice(1).replaceAll('/', '.')
      return path === '' ? message : `${path}: ${message}`
    })
  } finally {
    ajv.removeSchema(schema)
  }
}
