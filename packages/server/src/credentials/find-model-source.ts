/** Where the model's answers come from: a key that we hold, a provider that the CLI reaches itself, or the demo model. */
import { homedir } from 'node:os'
import { type Config, configSchema, type ModelStatus, say } from '@dorkos/shared'
import { AppError } from '../core/app-error.ts'
import { createApiKeyHelper } from './api-key-helper.ts'
import { hasLogin, readUserSettings, type UserSettings } from './claude-folder.ts'
import {
  cloudVariables,
  loginVariables,
  pinnedForLogin,
  providerSwitches,
  type Variables,
} from './provider-variables.ts'

export type ModelSource =
  | {
      /** Model calls pass the model gateway, which adds the key: agents never hold it. */
      kind: 'gateway'
      source: 'api_key' | 'auth_token' | 'api_key_helper'
      /** Where the key belongs: it is sent nowhere else. */
      baseUrl: string
      /** Asked for each call. Rejects with AppError when the key cannot be had. */
      headers(): Promise<Record<string, string>>
    }
  | {
      /** The CLI reaches the model itself. */
      kind: 'cli'
      source: 'bedrock' | 'vertex' | 'foundry' | 'cli_login'
      /** The variables that it needs for that. */
      env: Record<string, string>
      /** Variables that no settings file may change, where the CLI would let it. */
      pinned: Record<string, string>
    }
  | { kind: 'demo' }

export interface ModelSourceInput {
  config: Pick<Config, 'model' | 'anthropicBaseUrl'>
  env: Variables
  /** Read from the owner's `~/.claude` where absent. */
  userSettings?: UserSettings
  loggedIn?: boolean
  monotonic?: () => number
}

/** In the order of the CLI: cloud providers, token, key, helper, login. Throws AppError when one is demanded and none is there. */
export function findModelSource(input: ModelSourceInput): ModelSource {
  if (input.config.model === 'demo') return { kind: 'demo' }
  const userSettings = input.userSettings ?? readUserSettings(input.env)
  // The CLI lets the owner's settings win over its environment (2.1.325).
  const env = { ...input.env, ...userSettings.env }
  const found =
    cloudSource(env) ??
    keySource(input, env) ??
    helperSource(input, env, userSettings) ??
    loginSource(input, env)
  if (found) return found
  if (input.config.model === 'auto') return { kind: 'demo' }
  throw new AppError('unavailable', say('credentials_missing'))
}

export function modelStatus(source: ModelSource): ModelStatus {
  if (source.kind === 'demo') return { mode: 'demo', source: 'demo', gateway: true }
  return { mode: 'anthropic', source: source.source, gateway: source.kind === 'gateway' }
}

function cloudSource(env: Variables): ModelSource | undefined {
  for (const source of ['bedrock', 'vertex', 'foundry'] as const) {
    if (/^(1|true|yes|on)$/i.test(env[providerSwitches[source]] ?? '')) {
      return { kind: 'cli', source, env: cloudVariables(source, env), pinned: {} }
    }
  }
  return undefined
}

function keySource(input: ModelSourceInput, env: Variables): ModelSource | undefined {
  const token = credential('ANTHROPIC_AUTH_TOKEN', env)
  const key = credential('ANTHROPIC_API_KEY', env)
  if (token === undefined && key === undefined) return undefined
  // As the CLI does: each in its own header, both where both are set.
  const headers = {
    ...customHeaders(env),
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return {
    kind: 'gateway',
    source: token === undefined ? 'api_key' : 'auth_token',
    baseUrl: baseUrlOf(input, env),
    headers: async () => ({ ...headers }),
  }
}

function helperSource(
  input: ModelSourceInput,
  env: Variables,
  { apiKeyHelper }: UserSettings,
): ModelSource | undefined {
  if (apiKeyHelper === undefined) return undefined
  const monotonic = input.monotonic ?? (() => performance.now())
  const ask = createApiKeyHelper({
    command: apiKeyHelper,
    env: input.env,
    cwd: env.HOME || homedir(),
    monotonic,
  })
  const custom = customHeaders(env)
  return {
    kind: 'gateway',
    source: 'api_key_helper',
    baseUrl: baseUrlOf(input, env),
    async headers() {
      const key = await ask()
      // The CLI sends a helper's key in both (2.1.325).
      return { ...custom, 'x-api-key': key, authorization: `Bearer ${key}` }
    },
  }
}

function loginSource(input: ModelSourceInput, env: Variables): ModelSource | undefined {
  const loggedIn = Boolean(env.CLAUDE_CODE_OAUTH_TOKEN) || (input.loggedIn ?? hasLogin(input.env))
  if (!loggedIn) return undefined
  const variables = loginVariables(env)
  const pinned = env.CLAUDE_CODE_OAUTH_TOKEN ? {} : pinnedForLogin(baseUrlOf(input, env), variables)
  return { kind: 'cli', source: 'cli_login', env: variables, pinned }
}

const standardBaseUrl = configSchema.parse({}).anthropicBaseUrl

/** A key that stands beside ANTHROPIC_BASE_URL belongs to that address, unless the configuration names another. */
function baseUrlOf({ config }: ModelSourceInput, env: Variables): string {
  const beside = env.ANTHROPIC_BASE_URL
  if (config.anthropicBaseUrl !== standardBaseUrl || !beside) return config.anthropicBaseUrl
  if (!URL.canParse(beside) || !/^https?:$/.test(new URL(beside).protocol)) {
    throw new AppError('unavailable', say('credentials_address_invalid'))
  }
  return beside
}

function credential(name: string, env: Variables): string | undefined {
  const value = env[name]?.trim()
  if (!value) return undefined
  if (/^[\x21-\x7e]+$/.test(value)) return value
  throw new AppError('unavailable', say('credentials_key_invalid', { name }))
}

/** `Name: value`, one a line. Headers that the transport makes itself are left out. */
function customHeaders(env: Variables): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of (env.ANTHROPIC_CUSTOM_HEADERS ?? '').split(/\r?\n/)) {
    const [, name, value] = /^\s*([A-Za-z0-9-]+)\s*:\s*([\x20-\x7e]*?)\s*$/.exec(line) ?? []
    if (
      name === undefined ||
      value === undefined ||
      /^(host|connection|content-length|transfer-encoding)$/i.test(name)
    )
      continue
    headers[name.toLowerCase()] = value
  }
  return headers
}
