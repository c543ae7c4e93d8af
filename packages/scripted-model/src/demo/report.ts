import type { DemoCall } from './turn.ts'

const QUOTE_LIMIT = 4_000

/** What came of a call, in words, with the tool's own answer quoted. `sentence` introduces that of a call that went well. */
export function report(call: DemoCall, sentence: string): string {
  const result = call.result ?? { text: '', isError: false }
  if (result.isError) return reportError(call.name, result.text)
  if (result.text === '') return `\`${call.name}\` ended without any output.`
  return `${sentence}\n\n${quote(result.text)}`
}

/** As a code block whose fence is longer than any inside it. */
function quote(text: string): string {
  const shown =
    text.length > QUOTE_LIMIT
      ? `${text.slice(0, QUOTE_LIMIT)}\n… (${text.length - QUOTE_LIMIT} more characters)`
      : text
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${pretty(shown)}\n${fence}`
}

function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** An error of the tool itself can be distinguished from a denial only by its wording. */
function reportError(name: string, text: string): string {
  const exit = /^Exit code (\d+)\n?/.exec(text)
  if (exit !== null) {
    const output = text.slice(exit[0].length)
    const rest = output === '' ? 'It printed nothing.' : `It printed:\n\n${quote(output)}`
    return `The command ran and failed with exit code ${exit[1]}. ${rest}`
  }
  const refused = /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/.exec(text)
  if (refused !== null) return `\`${name}\` refused the call:\n\n${quote(refused[1] ?? '')}`
  if (isDenial(name, text))
    return `\`${name}\` was denied, so I stop here. The reason given:\n\n${quote(text)}`
  return `\`${name}\` did not work, so I stop here. It said:\n\n${quote(text)}`
}

const DENIAL =
  /\b(den(y|ied|ies)|reject|declin|not allowed|permission|approv|refus|expired|doesn't want|hook error)/i

/** These tools report their own errors as an exit code or in tags, so that any other text is a person's or a rule's. */
const TAGGED_ERRORS = new Set(['Bash', 'Write', 'Edit', 'AskUserQuestion', 'ExitPlanMode', 'TodoWrite'])

function isDenial(name: string, text: string): boolean {
  if (TAGGED_ERRORS.has(name)) return true
  if (/^\s*\{/.test(text) || /^(MCP error|Error)\b/.test(text)) return false
  return DENIAL.test(text) || name.startsWith('mcp__')
}
