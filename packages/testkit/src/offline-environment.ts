import { mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from '@dorkos/scripted-model'
import { removeHome } from './remove-home.ts'

export interface OfflineEnvironmentOptions {
  /** Where the CLI sends its model requests. */
  model: string | Pick<ScriptedModel, 'url'>
  /** A home that exists already and is left in place. A fresh one, removed by `dispose`, if absent. */
  home?: string
  /** More variables, laid over the others. Undefined takes one away. */
  extra?: Record<string, string | undefined>
  /** Lets the CLI defer MCP tools behind its tool search. Off if absent, so that every tool is in each request. */
  toolSearch?: boolean
  /** Declares to the CLI that it is contained: as root it refuses `bypassPermissions` otherwise. */
  sandbox?: boolean
}

export interface OfflineEnvironment extends AsyncDisposable {
  /** The complete environment: nothing of the caller's is in it but what a program needs to start. */
  readonly env: Record<string, string>
  /** The same for what lays variables over the caller's own, as `ClaudeCodeAgent` does: all others are taken away. */
  readonly overlay: Record<string, string | undefined>
  readonly home: string
  /** `CLAUDE_CONFIG_DIR`: settings and transcripts. */
  readonly configDir: string
  /** An empty project folder inside the home. */
  readonly cwd: string
  /** Removes the folders. A CLI that is still ending gets three seconds: its last lines would bring them back. */
  dispose(): Promise<void>
}

/** Private folders and the variables with which the real CLI runs without a network, a login or a user's settings. */
export async function offlineEnvironment(options: OfflineEnvironmentOptions): Promise<OfflineEnvironment> {
  // The CLI reports real paths, and the temporary folder can be behind a link.
  const root = options.home ?? (await realpath(await mkdtemp(join(tmpdir(), 'dorkos-offline-'))))
  const configDir = join(root, '.claude')
  const cwd = join(root, 'project')
  // The CLI keeps the output of background tasks in its temporary folder, and would leave it there.
  const temporary = join(root, 'tmp')
  for (const folder of [configDir, cwd, temporary]) await mkdir(folder, { recursive: true })
  const dispose = async () => {
    if (options.home === undefined) await removeHome(root)
  }
  const env = buildEnv(options, { home: root, configDir, temporary })
  const nothing = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]))
  return {
    env,
    overlay: { ...nothing, ...env },
    home: root,
    configDir,
    cwd,
    dispose,
    [Symbol.asyncDispose]: dispose,
  }
}

function buildEnv(
  options: OfflineEnvironmentOptions,
  { home, configDir, temporary }: { home: string; configDir: string; temporary: string },
): Record<string, string> {
  const env: Record<string, string | undefined> = {
    ...inherited(),
    HOME: home,
    USERPROFILE: process.platform === 'win32' ? home : undefined,
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    CLAUDE_CONFIG_DIR: configDir,
    ANTHROPIC_BASE_URL: typeof options.model === 'string' ? options.model : options.model.url,
    ANTHROPIC_API_KEY: 'sk-test',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: options.toolSearch === true ? 'true' : 'false',
    IS_SANDBOX: options.sandbox === true ? '1' : undefined,
    ...options.extra,
  }
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** What a process cannot do without; on Windows that is more than the search path. */
function inherited(): Record<string, string | undefined> {
  const names = process.platform === 'win32' ? ['PATH', 'SystemRoot', 'ComSpec', 'PATHEXT', 'TEMP'] : ['PATH']
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

export interface StartOfflineOptions extends Omit<OfflineEnvironmentOptions, 'model'>, ScriptedModelOptions {}

export interface Offline extends OfflineEnvironment {
  readonly model: ScriptedModel
}

/** A scripted model and an environment that points to it, disposed of together. */
export async function startOffline(script: Script, options: StartOfflineOptions = {}): Promise<Offline> {
  const model = await startScriptedModel(script, options)
  try {
    const environment = await offlineEnvironment({ ...options, model })
    const dispose = async () => {
      await model.close()
      await environment.dispose()
    }
    return { ...environment, model, dispose, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await model.close()
    throw error
  }
}
