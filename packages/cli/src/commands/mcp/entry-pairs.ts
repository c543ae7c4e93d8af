/** `--env NAME=value` and `--header 'Name: value'`. What does not fit is not repeated: it may hold a secret. */
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'

export function envPairs(given: readonly string[] | undefined): Record<string, string> {
  return pairs(given, /^([A-Za-z_]\w*)=(.*)$/s, '--env takes NAME=value.')
}

export function headerPairs(given: readonly string[] | undefined): Record<string, string> {
  return pairs(given, /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/s, "--header takes 'Name: value'.")
}

function pairs(given: readonly string[] = [], form: RegExp, help: string): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = '', value = ''] = form.exec(text) ?? []
      if (name === '') throw new CliError(help, exitCodes.usage)
      return [name, value]
    }),
  )
}
