/** A line for a terminal. Names of directories are anybody's: pasted, they must stay names. Pure. */

/** Goes on with the session there: the CLI finds it only from the directory that it was started in. */
export function resumeCommand(directory: string, cliSessionId: string): string {
  // One word with its option: an id with a dash in front is none of its own.
  const resume = /^\w[\w-]*$/.test(cliSessionId)
    ? `claude --resume ${cliSessionId}`
    : `claude --resume=${quoted(cliSessionId)}`
  if (directory === '') return resume
  // A name with a dash in front would be an option.
  return `cd ${quoted(directory.startsWith('-') ? `./${directory}` : directory)} && ${resume}`
}

/**
 * As one word of sh, bash, zsh or fish: no quote and no backslash stands inside of the quotes, where shells read them differently.
 * Control characters would act on the terminal before the shell sees the quotes; a shell that knows no `$'…'` only finds no such directory.
 */
function quoted(word: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word)) return `'${word.replace(/[\\']/g, `'\\$&'`)}'`
  return `$'${word.replace(/[\\'\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}'`
}

/** By its bytes, which bash and zsh take. */
function escaped(character: string): string {
  const bytes = [...new TextEncoder().encode(character)]
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
