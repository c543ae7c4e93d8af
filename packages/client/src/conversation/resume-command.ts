/** A line for a terminal. Names of directories are anybody's: pasted, they must stay names. Pure. */

/** Goes on with the session there: the CLI finds it only from the directory that it was started in. */
export function resumeCommand(directory: string, cliSessionId: string): string {
  const resume = `claude --resume ${quoted(cliSessionId)}`
  if (directory === '') return resume
  // A name with a dash in front would be an option.
  return `cd ${quoted(directory.startsWith('-') ? `./${directory}` : directory, true)} && ${resume}`
}

/** As one word of sh, bash or zsh. Control characters would act on the terminal before the shell sees the quotes. */
function quoted(word: string, always = false): string {
  if (!always && /^[\w-]+$/.test(word)) return word
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`
  return `$'${word.replace(/[\\']/g, '\\$&').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}'`
}

/** By its bytes, which every such shell takes. */
function escaped(character: string): string {
  const bytes = [...new TextEncoder().encode(character)]
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}
