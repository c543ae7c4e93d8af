/** `sandstorm.json` → the text of a profile. What has no counterpart here stays in the head, where the check names it. Pure. */
import { isRecord } from '@dorkos/shared'
import { stringify } from 'yaml'

/** In both of its spellings. */
const counterparts: Readonly<Record<string, string>> = {
  model: 'model',
  allowed_tools: 'tools',
  allowedTools: 'tools',
  tools: 'tools',
  mcp_servers: 'mcp_servers',
  mcpServers: 'mcp_servers',
  agents: 'agents',
  subagents: 'agents',
}

/** Undefined for what is no such file. */
export function convertSandstorm(
  text: string,
  name: string,
): { text: string; description: string } | undefined {
  const config = parse(text)
  if (!config) return undefined
  const description = `Imported from sandstorm.json`
  const head: Record<string, unknown> = { name, description }
  let prompt = ''
  for (const [key, value] of Object.entries(config)) {
    if (key === 'system_prompt' || key === 'systemPrompt') prompt = String(value)
    else if (key === 'system_prompt_append' || key === 'systemPromptAppend') {
      head.prompt = 'append'
      prompt = String(value)
    } else if (key === 'max_turns' || key === 'maxTurns')
      head.limits = { ...limitsOf(head), max_turns: value }
    else if (key === 'maxBudgetUsd' || key === 'max_budget_usd')
      head.limits = { ...limitsOf(head), budget_usd: value }
    else if (key === 'output_format' || key === 'outputFormat')
      head.output_schema = isRecord(value) && isRecord(value.schema) ? value.schema : value
    else head[counterparts[key] ?? key] = writtenAs(counterparts[key], value)
  }
  return { text: `---\n${stringify(head)}---\n\n${prompt.trim()}\n`, description }
}

const limitsOf = (head: Record<string, unknown>) => (isRecord(head.limits) ? head.limits : {})

/** Servers are known by name: what they run is written where Claude Code or DorkOS reads it. */
function writtenAs(key: string | undefined, value: unknown): unknown {
  return key === 'mcp_servers' && isRecord(value) ? Object.keys(value) : value
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
