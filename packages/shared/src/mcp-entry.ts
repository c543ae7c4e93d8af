/**
 * One MCP server's entry: what people write for it, in the configuration file, on the page, on the command line and in the files of other
 * programs. One schema and one set of limits, so that whatever is stored can be read again. Messages go behind the name of what they are
 * about, and never hold a value: that may be a secret.
 */
import { z } from 'zod'

const most = { items: 256, name: 256, text: 32_768, path: 4096, timeoutMs: 24 * 3_600_000 }

function text(longest: number) {
  return z
    .string('must be text in double quotes')
    .max(longest, `is longer than ${longest} characters`)
    .refine((value) => !value.includes('\0'), 'holds a null character')
}

function pairs(isName: (name: string) => boolean, wrong: string, value: z.ZodType<string>) {
  const name = z.string().min(1).max(most.name).refine(isName)
  const shape = 'must be an object of names and texts: { "NAME": "…" }'
  return z
    .record(name, value, { error: ({ code }) => (code === 'invalid_key' ? wrong : shape) })
    .refine((given) => Object.keys(given).length <= most.items, `has more than ${most.items} items`)
}

/** RFC 9110's token. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const env = pairs((name) => !/[=\0]/.test(name), 'is no name for a variable', text(most.text))
const headers = pairs(
  (name) => headerName.test(name),
  'is no name for a header',
  text(most.text).refine((value) => !/[\r\n]/.test(value), 'holds a line break'),
)

const timeout = `must be milliseconds: a whole number from 1 to ${most.timeoutMs} (a day)`
const flag = z.boolean('must be true or false')
const modes = 'must be a list of host, container or both'

/**
 * Whether sessions share a server's process. `session`: each has its own. `auto`: shared where the server is known to keep nothing between
 * calls, or is reached by HTTP.
 */
export const mcpSharingSchema = z.enum(['auto', 'shared', 'session'], 'must be one of auto, shared, session')
export type McpSharing = z.infer<typeof mcpSharingSchema>

/** `${VAR}` and `${VAR:-default}` may stand in every text. */
export const mcpEntrySchema = z
  .strictObject({
    type: z.enum(['stdio', 'http', 'sse'], 'must be stdio, http or sse').optional(),
    command: text(most.path)
      .refine((value) => value.trim() !== '', 'is empty')
      .optional(),
    args: z
      .array(text(most.text), 'must be a list of texts: ["…", "…"]')
      .max(most.items, `has more than ${most.items} items`)
      .optional(),
    env: env.optional(),
    cwd: text(most.path).min(1, 'is empty').optional(),
    url: text(most.path)
      .superRefine((value, context) => {
        // With a variable in it, it is checked when that has its value.
        const fault = value.includes('${') ? undefined : mcpUrlFault(value)
        if (fault) context.addIssue(fault)
      })
      .optional(),
    headers: headers.optional(),
    timeout: z.number(timeout).int(timeout).min(1, timeout).max(most.timeoutMs, timeout).optional(),
    passthrough: flag.optional(),
    sharing: mcpSharingSchema.optional(),
    modes: z
      .array(z.enum(['host', 'container'], modes), modes)
      .min(1, modes)
      .optional(),
    disabled: flag.optional(),
  })
  .refine(
    ({ type, command, url }) => {
      const isProgram = type === undefined ? command !== undefined : type === 'stdio'
      return (command !== undefined) === isProgram && (url !== undefined) === !isProgram
    },
    { message: 'a server needs either a command (stdio) or a url (http, sse)' },
  )
export type McpEntryInput = z.infer<typeof mcpEntrySchema>

/** Why an address cannot be used. */
export function mcpUrlFault(url: string): string | undefined {
  // The parser would leave line breaks and tabs out, and what people were shown would not be what is asked.
  if (/[\s\p{C}]/u.test(url)) return 'holds spaces or control characters'
  if (!URL.canParse(url)) return 'is not an address; it must begin with https:// or http://'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://'
  if (username !== '' || password !== '') return 'holds a user name or password; send them in headers instead'
  return undefined
}
