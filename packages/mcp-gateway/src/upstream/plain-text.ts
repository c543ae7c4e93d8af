/** Text from a server, made fit for a log, a status or a person: nothing in it can hide or steer a terminal. */

// Control characters, and those that are invisible or turn the direction of text.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

// Colours and cursor moves: without their first character, the rest would stay as litter.
const terminalCodes = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;?]*[ -/]*[@-~]`, 'g')

/** One line of at most `length` characters. */
export function plainLine(text: string, length: number): string {
  const line = text
    .replace(terminalCodes, '')
    .replace(/[\r\n\t]+/g, ' ')
    .replace(unseen, '')
    .trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}

/** As `plainLine`, but line breaks stay. */
export function plainText(text: string, length: number): string {
  const lines = text
    .replace(terminalCodes, '')
    .split(/\r?\n/)
    .map((line) => line.replaceAll('\t', '  ').replace(unseen, ''))
  const whole = lines.join('\n').trim()
  return whole.length > length ? `${whole.slice(0, length - 1)}…` : whole
}
