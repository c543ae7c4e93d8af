import { exactLine } from '../escape.ts'

/** What the API says is the placeholder, then what belongs there: as a sentence that says what to do. */
export function renderFillIn(text: string, location: string): string {
  const [, placeholder = text, what = ''] = /^(\$\{[^}]*\}|<[^>]*>|\S+)(?: ([\s\S]*))?$/.exec(text) ?? []
  const isVague = what === '' || /^(?:An argument|The address)(?::|$)/.test(what)
  const value = isVague
    ? 'the right value'
    : /\s/.test(what)
      ? `“${exactLine(what)}”`
      : `your ${exactLine(what)}`
  const part = isVague && what !== '' ? ` (${exactLine(what.charAt(0).toLowerCase() + what.slice(1))})` : ''
  return `To fill in: replace ${exactLine(placeholder)}${part} with ${value} in ${location}`
}
