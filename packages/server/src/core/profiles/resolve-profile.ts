/** A written profile → one that counts: what it names is looked up, and what is not there is a fault with its line. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@dorkos/mcp-gateway'
import {
  foldServerName,
  isRecord,
  type Profile,
  type ProfileAgent,
  type ProfileFault,
  type ProfileRule,
} from '@dorkos/shared'
import { schemaFault } from '../output-schema.ts'
import { builtInToolFault, isMcpName } from './built-in-tools.ts'
import type { ReadProfileText, WrittenProfile } from './profile-text.ts'

export interface ProfileSurroundings {
  /** Names of the MCP servers that a session there can have; undefined where that depends on a workspace that is not known. */
  servers: readonly string[] | undefined
  /** Likewise. */
  skills: readonly string[] | undefined
  /** Another profile, as it is written; undefined where there is none, or it has faults. */
  profile(name: string): Promise<WrittenProfile | undefined>
  /** The text of a file beside it. */
  beside(path: string): Promise<string | undefined>
}

type Path = readonly PropertyKey[]
type Fault = (path: Path, message: string) => void

export async function resolveProfile(
  name: string,
  read: ReadProfileText,
  around: ProfileSurroundings,
): Promise<{ profile?: Profile; faults: ProfileFault[] }> {
  const { written, lineOf } = read
  if (!written) return { faults: read.faults }
  const faults: ProfileFault[] = []
  const fault: Fault = (path, message) =>
    void faults.push({ line: lineOf(path), path: path.map(String).join('.'), message })
  const { body, prompt, agents, output_schema: schema, name: _, color: __, ...rest } = written
  checkTools(written, [], around, fault)
  checkNames(written.mcp_servers, ['mcp_servers'], around.servers, 'MCP server', fault)
  checkNames(written.skills, ['skills'], around.skills, 'skill', fault)
  for (const [index, rule] of written.permissions.rules.entries()) checkRule(rule, index, around, fault)
  const resolvedAgents = await readAgents(agents, around, fault)
  const outputSchema = await readSchema(schema, around, fault)
  if (faults.length > 0) return { faults: faults.toSorted((a, b) => a.line - b.line) }
  return {
    faults: [],
    profile: {
      ...rest,
      name,
      prompt: body,
      prompt_mode: prompt,
      ...(resolvedAgents && { agents: resolvedAgents }),
      ...(outputSchema && { output_schema: outputSchema }),
    },
  }
}

/** Names a profile as it counts, whatever its file looks like. */
export function profileDigest(profile: Profile): string {
  return createHash('sha256').update(canonicalJson(profile)).digest('hex')
}

function checkTools(
  { tools, disallowed_tools: disallowed }: Pick<ProfileAgent, 'tools' | 'disallowed_tools'>,
  at: Path,
  around: ProfileSurroundings,
  fault: Fault,
): void {
  for (const [key, list] of [['tools', tools] as const, ['disallowed_tools', disallowed] as const])
    for (const [index, tool] of (list ?? []).entries()) {
      const why = toolFault(tool, around)
      if (why !== undefined) fault([...at, key, index], why)
    }
}

function toolFault(tool: string, { servers }: ProfileSurroundings): string | undefined {
  if (!isMcpName(tool)) return builtInToolFault(tool)
  const known = ['dorkos', ...(servers ?? [])].some((name) => {
    const prefix = `mcp__${foldServerName(name)}`
    return tool === prefix || tool.startsWith(`${prefix}__`)
  })
  return known || servers === undefined ? undefined : `no MCP server here has the tool ‘${tool}’`
}

function checkRule(rule: ProfileRule, index: number, around: ProfileSurroundings, fault: Fault): void {
  const { tool } = rule
  const why = tool.includes('*') ? undefined : toolFault(tool, around)
  if (why !== undefined) fault(['permissions', 'rules', index, 'tool'], why)
}

function checkNames(
  names: readonly string[] | undefined,
  at: Path,
  known: readonly string[] | undefined,
  what: string,
  fault: Fault,
): void {
  if (known === undefined) return
  for (const [index, name] of (names ?? []).entries())
    if (!known.includes(name)) fault([...at, index], `there is no ${what} ‘${name}’ here`)
}

async function readAgents(
  agents: WrittenProfile['agents'],
  around: ProfileSurroundings,
  fault: Fault,
): Promise<Record<string, ProfileAgent> | undefined> {
  if (agents === undefined) return undefined
  const found: Record<string, ProfileAgent> = {}
  if (Array.isArray(agents)) {
    for (const [index, name] of agents.entries()) {
      const other = await around.profile(name)
      if (other) found[name] = agentOf(other)
      else fault(['agents', index], `there is no profile ‘${name}’, or it has faults itself`)
    }
    return found
  }
  for (const [name, agent] of Object.entries(agents)) {
    checkTools(agent, ['agents', name], around, fault)
    checkNames(agent.skills, ['agents', name, 'skills'], around.skills, 'skill', fault)
    found[name] = agent
  }
  return found
}

/** Of a profile that works for another, what an agent can have. Its limits and permissions are the other's. */
function agentOf({
  description,
  body,
  model,
  effort,
  tools,
  disallowed_tools,
  skills,
}: WrittenProfile): ProfileAgent {
  return {
    description,
    prompt: body,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(tools && { tools }),
    ...(disallowed_tools && { disallowed_tools }),
    ...(skills && { skills }),
  }
}

async function readSchema(
  schema: WrittenProfile['output_schema'],
  around: ProfileSurroundings,
  fault: Fault,
): Promise<Record<string, unknown> | undefined> {
  if (schema === undefined) return undefined
  const value = typeof schema === 'string' ? parseJson(await around.beside(schema)) : schema
  if (!isRecord(value)) {
    fault(['output_schema'], 'there is no JSON file with a schema of that name beside the profile')
    return undefined
  }
  const why = await schemaFault(value)
  if (why !== undefined) fault(['output_schema'], why)
  return value
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
