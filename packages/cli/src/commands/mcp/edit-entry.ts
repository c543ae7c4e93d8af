/** An entry as JSON in an editor, until it can be stored and the person agrees to what would change, or leaves it. */
import { isDeepStrictEqual } from 'node:util'
import { ApiError, type McpEntryInput, type McpServer, mcpEntrySchema } from '@dorkos/shared'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { describeFailure } from '../../connect.ts'
import { homeOf } from '../../server-files.ts'
import { editText } from '../../terminal/edit-text.ts'
import { exactLine, exactText, safeJson } from '../../terminal/escape.ts'
import { renderEntryChange } from '../../terminal/mcp/render-entry-change.ts'
import type { McpCommand } from './mcp-command.ts'

/** Undefined: nothing was changed. */
export async function editEntry(
  command: McpCommand,
  before: McpEntryInput,
  store: (entry: McpEntryInput) => Promise<McpServer>,
): Promise<McpServer | undefined> {
  const { context, lendTerminal, notify, style, signal } = command
  const folder = homeOf(context.env)
  if (JSON.stringify(before).includes('•••')) notify('Leave ••• to keep a value.\n')
  let text = `${safeJson(before, 2)}\n`
  for (;;) {
    text = await lendTerminal(() => editText(text, { env: context.env, folder, signal }))
    const { entry, fault } = readEntryText(text)
    if (entry && isDeepStrictEqual(entry, before)) return undefined
    if (entry) notify(`${renderEntryChange(before, entry, style).join('\n')}\n`)
    else notify(`${exactText(fault)}\n`)
    const next = entry ? await askToStore(command) : await askToGoOn(command)
    if (next === 'leave') return undefined
    if (!entry || next === 'edit') continue
    try {
      return await store(entry)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error
      notify(`${exactText(describeFailure(error).message)}\n`)
      if ((await askToGoOn(command)) === 'leave') return undefined
    }
  }
}

async function askToStore({ asker }: McpCommand): Promise<'store' | 'edit' | 'leave'> {
  const answer = (await asker?.ask('Save this change? [y] yes  [e] edit again  [Enter] no > '))?.trim()
  if (/^y(es)?$/i.test(answer ?? '')) return 'store'
  return /^e(dit)?$/i.test(answer ?? '') ? 'edit' : 'leave'
}

async function askToGoOn({ asker }: McpCommand): Promise<'edit' | 'leave'> {
  const answer = await asker?.ask('[Enter] edit again  [n] discard > ')
  return answer?.trim() === '' ? 'edit' : 'leave'
}

type ReadText = { entry: McpEntryInput; fault?: never } | { entry?: never; fault: string }

function readEntryText(text: string): ReadText {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: syntaxFault(text) }
  }
  const { data, error } = mcpEntrySchema.safeParse(value)
  if (data) return { entry: data }
  const faults = error.issues.map(({ path, message }) =>
    exactLine([path.join('.'), message].filter(Boolean).join(': ')),
  )
  return { fault: `This isn’t a valid server entry: ${faults.join('; ')}` }
}

/** Comments are refused too: what is stored would lose them. */
function syntaxFault(text: string): string {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors
  if (!first) return 'This isn’t valid JSON.'
  const lines = text.slice(0, first.offset).split('\n')
  const what = printParseErrorCode(first.error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()
  return `This isn’t valid JSON: ${what}, line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}.`
}
