/** What a person said, in the text of a user message. The CLI stores commands, their output and notices as such too, in tags of its own. */
export interface SpokenText {
  /** tagged: text that merely begins with a tag. */
  readonly kind: 'prompt' | 'shell' | 'command' | 'tagged'
  readonly text: string
  /** What a slash command was called with. */
  readonly args?: string
}

/** Nothing where the CLI itself speaks. */
export function saidIn(raw: string): SpokenText | undefined {
  const text = raw.trim()
  if (text === '' || /^\[Request interrupted by user[^\]]*\]$/.test(text)) return undefined
  const shell = /^<bash-input>([\s\S]*?)<\/bash-input>/.exec(text)?.[1]
  if (shell !== undefined) return { kind: 'shell', text: `! ${shell.trim()}` }
  const command = /<command-name>([\s\S]*?)<\/command-name>/.exec(text)?.[1]
  if (command !== undefined) {
    const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim()
    return { kind: 'command', text: command, ...(args && { args }) }
  }
  if (/^<(?:local-command|bash-|task-notification|system-reminder|ide_)/.test(text)) return undefined
  return { kind: /^<[a-z][\w-]*[\s>]/.test(text) ? 'tagged' : 'prompt', text }
}
