/** The command files port: commands and skills that lie in folders of the CLI's form. */

export interface CommandFolder {
  /** The folder that has `commands` and `skills` in it. */
  path: string
  /** Where links in it may lead. */
  within: readonly string[]
  source: 'user' | 'project' | 'plugin'
  /** What the names of a plugin's begin with. */
  plugin?: string
}

export interface FoundCommand {
  name: string
  /** Other names for it, as the CLI takes them. */
  aliases: string[]
  description: string
  argumentHint: string
  kind: 'skill' | 'command'
  source: CommandFolder['source']
}

export interface CommandFiles {
  /** In the order of the folders. Never throws: what cannot be read is left out. Those that people cannot call are, too. */
  read(folders: readonly CommandFolder[]): Promise<FoundCommand[]>
}
