/** What the owner's own Claude Code folder says about credentials: two settings, and whether there is a login. */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isRecord } from '@dorkos/shared'
import type { Variables } from './provider-variables.ts'

export interface UserSettings {
  apiKeyHelper: string | undefined
  /** Laid over the process's environment by the CLI, and so by us. */
  env: Record<string, string>
}

export function claudeFolder(env: Variables): string {
  return env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude')
}

const MAX_BYTES = 1024 * 1024

/** Empty where there is no such file, or one that the CLI could not read either. */
export function readUserSettings(env: Variables): UserSettings {
  const settings = readJson(join(claudeFolder(env), 'settings.json'))
  const { apiKeyHelper } = settings
  const variables = isRecord(settings.env) ? Object.entries(settings.env) : []
  return {
    apiKeyHelper: typeof apiKeyHelper === 'string' && apiKeyHelper.trim() !== '' ? apiKeyHelper : undefined,
    env: Object.fromEntries(
      variables.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  }
}

/** Never reads the login itself. On macOS it is in the keychain; the CLI's state file then names the account. */
export function hasLogin(env: Variables, platform: NodeJS.Platform = process.platform): boolean {
  const folder = claudeFolder(env)
  if (existsSync(join(folder, '.credentials.json'))) return true
  if (platform !== 'darwin') return false
  const state = env.CLAUDE_CONFIG_DIR
    ? join(folder, '.claude.json')
    : join(env.HOME || homedir(), '.claude.json')
  return isRecord(readJson(state, 64 * MAX_BYTES).oauthAccount)
}

function readJson(file: string, maxBytes = MAX_BYTES): Record<string, unknown> {
  try {
    const stat = statSync(file)
    if (!stat.isFile() || stat.size > maxBytes) return {}
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
