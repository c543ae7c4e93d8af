/** What is chosen for a new session, and what of it is remembered for the next one. */
import { type Effort, type EndpointBody, effortLevels, type PermissionMode } from '@dorkos/shared'
import { readJson, writeJson } from './local-json.ts'
import { isPermissionMode } from './permission-modes.ts'

export interface Choices {
  /** Undefined: the main workspace. */
  readonly workspaceId: string | undefined
  readonly cwd: string
  readonly title: string
  readonly model: string | undefined
  /** Undefined: as configured. */
  readonly mode: PermissionMode | undefined
  readonly effort: Effort | undefined
  /** As typed. */
  readonly budget: string
  readonly unattended: boolean
  /** By name. */
  readonly profile: string | undefined
}

const key = 'dorkos.new-session'
const maxBudget = 100_000

export function rememberedChoices(): Choices {
  return parseChoices(readJson(key))
}

/** Title, directory and budget belong to one session. A mode that asks nothing is chosen anew each time. */
export function rememberChoices({ workspaceId, model, mode, effort }: Choices): void {
  const kept = mode === 'bypassPermissions' || mode === 'dontAsk' ? undefined : mode
  writeJson(key, { workspaceId, model, mode: kept, effort })
}

export function parseChoices(value: unknown): Choices {
  const { workspaceId, model, mode, effort } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Record<string, unknown>
  return {
    workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
    model: typeof model === 'string' && model !== '' ? model : undefined,
    mode: isPermissionMode(mode) ? mode : undefined,
    effort: effortLevels.find((level) => level === effort),
    cwd: '',
    title: '',
    budget: '',
    unattended: false,
    profile: undefined,
  }
}

/** Nothing typed is undefined; what is no budget is `fault`. */
export function parseBudget(typed: string): number | undefined | 'fault' {
  const plain = typed.trim().replace(/^\$/, '').replace(',', '.')
  if (plain === '') return undefined
  const value = Number(plain)
  return Number.isFinite(value) && value >= 0 && value <= maxBudget ? value : 'fault'
}

/** What a process can be made ready for; undefined while something is typed that decides where it starts. */
export function toPreparedBody(choices: Choices): EndpointBody<'prepareNewSession'> | undefined {
  if (choices.cwd.trim() !== '') return undefined
  const { budget_usd: _budget, title: _title, ...body } = toSessionBody(choices, undefined)
  return body
}

/** What `createSession` takes. */
export function toSessionBody(
  choices: Choices,
  content: EndpointBody<'createSession'>['content'],
): EndpointBody<'createSession'> {
  const budget = parseBudget(choices.budget)
  const cwd = choices.cwd.trim()
  const title = choices.title.trim()
  return {
    ...(choices.workspaceId !== undefined && { workspace_id: choices.workspaceId }),
    ...(cwd !== '' && { cwd }),
    ...(title !== '' && { title: title.slice(0, 200) }),
    ...(choices.model !== undefined && { model: choices.model }),
    ...(choices.mode !== undefined && { permission_mode: choices.mode }),
    ...(choices.effort !== undefined && { effort: choices.effort }),
    ...(typeof budget === 'number' && { budget_usd: budget }),
    ...(choices.unattended && { unattended: true }),
    ...(choices.profile !== undefined && { profile: choices.profile }),
    ...(content !== undefined && { content }),
  }
}
