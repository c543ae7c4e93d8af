/** Commands of the CLI itself, as the last process said them: they are the same in every workspace. Forgotten with the server. */
import { isRecord } from '@dorkos/shared'
import { list, text } from '../event-map/untrusted.ts'

export interface BuiltInCommand {
  name: string
  description: string
  argumentHint: string
  aliases: string[]
}

const maxCommands = 500

export class BuiltInCommands {
  #known: readonly BuiltInCommand[] | undefined

  /** `commands` of the answer to `initialize`. */
  learn(commands: readonly unknown[]): void {
    const found = commands.slice(0, maxCommands).flatMap(builtIn)
    if (found.length > 0) this.#known = found
  }

  /** Undefined until a process has run. */
  get known(): readonly BuiltInCommand[] | undefined {
    return this.#known
  }
}

/** Names with two leading underscores are the CLI's own business. */
function builtIn(entry: unknown): BuiltInCommand[] {
  if (!isRecord(entry) || entry.builtin !== true) return []
  const name = text(entry.name) ?? ''
  if (!/^[^\s/][^\s]{0,199}$/.test(name) || name.startsWith('__')) return []
  const aliases = list(entry.aliases).filter((alias) => typeof alias === 'string')
  return [
    {
      name,
      description: (text(entry.description) ?? '').slice(0, 2000),
      argumentHint: (text(entry.argumentHint) ?? '').slice(0, 200),
      aliases: aliases.slice(0, 10),
    },
  ]
}
