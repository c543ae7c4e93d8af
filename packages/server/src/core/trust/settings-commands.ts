/** What a settings file of the CLI would run. Pure. */
import { type JsonNode, memberOf, nodeAt } from '../mcp/json-tree.ts'
import { maskCommand } from './mask-text.ts'

export interface SettingsCommand {
  /** When or why it runs, such as `PreToolUse (Bash)`. */
  when: string
  /** Each may name files. */
  texts: string[]
}

/** Commands outside of `hooks` (seen with 2.1.325). */
const helpers = [
  ...['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'fileSuggestion', 'gcpAuthRefresh'],
  ...['otelHeadersHelper', 'processWrapper', 'policyHelpers', 'proxyAuthHelper', 'statusLine'],
  ...['subagentStatusLine', 'headersHelper'],
]

/** Variables through which programs load a file before their own. */
const loaders =
  /^(NODE_OPTIONS|BASH_ENV|ENV|LD_PRELOAD|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|RUBYOPT|PERL5OPT|PROMPT_COMMAND|GIT_SSH_COMMAND|EDITOR|PAGER)$/

export function settingsCommands(root: JsonNode): SettingsCommand[] {
  const found: SettingsCommand[] = []
  const hooks = memberOf(root, 'hooks')
  if (hooks?.kind === 'object')
    for (const { key, node } of hooks.members)
      for (const matcher of node?.kind === 'array' ? node.items : node ? [node] : [])
        found.push(...hookCommands(key, matcher))
  for (const name of helpers) {
    const node = memberOf(root, name)
    const texts = node ? textsOf(node) : []
    if (texts.length > 0) found.push({ when: name, texts: argvOf(node, texts) })
  }
  return [...found, ...loadedByVariables(memberOf(root, 'env'))]
}

function hookCommands(event: string, matcher: JsonNode): SettingsCommand[] {
  const pattern = memberOf(matcher, 'matcher')
  const only = pattern?.kind === 'value' && pattern.value ? ` (${String(pattern.value)})` : ''
  const list = memberOf(matcher, 'hooks')
  const hooks = list?.kind === 'array' ? list.items : [matcher]
  return hooks.map((hook) => ({ when: `${event}${only}`, texts: argvOf(hook, textsOf(hook, ['matcher'])) }))
}

/** The command with its arguments where there is one; otherwise all that is said. */
function argvOf(node: JsonNode | undefined, texts: string[]): string[] {
  const command = nodeAt(node, ['command'])
  if (command?.kind !== 'value' || typeof command.value !== 'string') return texts
  const args = nodeAt(node, ['args'])
  return [command.value, ...(args ? textsOf(args) : [])]
}

export function loadedByVariables(env: JsonNode | undefined): SettingsCommand[] {
  if (env?.kind !== 'object') return []
  return env.members
    .filter(({ key }) => loaders.test(key))
    .map(({ key, node }) => ({ when: `env ${key}`, texts: node ? textsOf(node) : [] }))
}

function textsOf(node: JsonNode, without: string[] = ['type']): string[] {
  if (node.kind === 'value') return typeof node.value === 'string' ? [node.value] : []
  if (node.kind === 'array') return node.items.flatMap((item) => textsOf(item))
  return node.members.flatMap(({ key, node: value }) =>
    value && key !== 'type' && !without.includes(key) ? textsOf(value) : [],
  )
}

const MAX_SHOWN = 8000

export function shownCommand({ when, texts }: SettingsCommand): string {
  const line = `${when}: ${texts.map((text) => maskCommand(text)).join(' ')}`
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}
