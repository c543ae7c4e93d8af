/** The configuration of a running server: follows its file, and writes it. */
import { isDeepStrictEqual } from 'node:util'
import { type Config, type ConfigView, type Saying, say, toSaid } from '@dorkos/shared'
import { type Actor, actorName } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'
import type { ConfigService } from '../core/services.ts'
import { watchFiles } from '../watching/watch-files.ts'
import { type AgentConfigKey, agentKeys, fromAgent, isAgentWritable } from './agent-keys.ts'
import { ConfigError, faultDetails, sayFaults } from './config-error.ts'
import { applyWithoutRestart, configKeys, fileOnlyKeys, mcpServersKey, valueAt } from './config-keys.ts'
import { configTemplate } from './config-template.ts'
import { type ConfigEdit, editConfigText } from './edit-config-text.ts'
import { type ConfigInput, type LoadedConfig, loadConfig, loadConfigText } from './load-config.ts'
import { readConfigFile } from './read-config-file.ts'
import { toConfigEdits } from './to-config-edits.ts'
import { writePrivateFile } from './write-private-file.ts'

export interface ConfigServiceOptions extends ConfigInput {
  logger: Logger
  /** How long a changed file is left alone before it is read. */
  settleMs?: number
}

export interface ConfigChange {
  /** Keys whose running value changed. */
  changed: string[]
  /** Keys whose new value waits for a restart. */
  pending: string[]
  /** Why the newest file was not taken; the last good one is in use. */
  fault: Saying | undefined
}

export interface LiveConfig extends ConfigService {
  /** The values in use. Never the same object after a change. */
  current(): Config
  pending(): string[]
  fault(): Saying | undefined
  /** Another server may have written the file. */
  reread(): void
  /** The listener is also notified when the file becomes bad, and good again. */
  onChange(listener: (change: ConfigChange) => void): () => void
  agentKeys(actor: Actor): AgentConfigKey[]
  /** Of the keys that are writable for agents. The caller must have a person's approval. */
  changeFromAgent(actor: Actor, key: string, value: unknown): Promise<AgentConfigKey>
  /** Writes entries of `mcpServers`; undefined takes one out. */
  writeMcpServers(actor: Actor, entries: Record<string, Record<string, unknown> | undefined>): Promise<void>
  close(): void
}

/** Reads the configuration and follows its file; writes a commented one where there is none. Throws ConfigError. */
export async function createConfigService(options: ConfigServiceOptions): Promise<LiveConfig> {
  const service = new FollowedConfig(options, loadConfig(options))
  await service.writeTemplate()
  service.watch()
  return service
}

class FollowedConfig implements LiveConfig {
  #options: ConfigServiceOptions
  /** What the newest good file says. */
  #loaded: LoadedConfig
  #running: Config
  #fault: Saying | undefined
  #listeners = new Set<(change: ConfigChange) => void>()
  #writing: Promise<unknown> = Promise.resolve()
  #stopWatching: () => void = () => {}

  constructor(options: ConfigServiceOptions, loaded: LoadedConfig) {
    this.#options = options
    this.#loaded = loaded
    this.#running = loaded.config
  }

  async writeTemplate(): Promise<void> {
    if (this.#loaded.text !== undefined) return
    const text = configTemplate()
    try {
      await writePrivateFile(this.#loaded.file, text)
      this.#loaded = { ...this.#loaded, text }
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'The configuration file could not be written')
    }
  }

  watch(): void {
    const { logger, settleMs = 100 } = this.#options
    const onFallback = (err: unknown) =>
      logger.warn({ err }, 'The configuration file cannot be watched; it is looked at every two seconds')
    const watch = watchFiles([this.#loaded.file], () => this.reread(), { settleMs, onFallback })
    this.#stopWatching = () => watch.close()
  }

  current(): Config {
    return this.#running
  }

  pending(): string[] {
    return configKeys.filter((key) => this.#isPending(key.steps)).map((key) => key.path)
  }

  fault(): Saying | undefined {
    return this.#fault
  }

  reread(): void {
    try {
      const text = readConfigFile(this.#loaded.file)
      // Not defaults: an editor may be halfway, and rules that deny something must not fall away with a lost file.
      if (text === undefined || text.trim() === '') {
        const { file } = this.#loaded
        return this.#setFault(
          text === undefined ? say('config_file_gone', { file }) : say('config_file_empty', { file }),
        )
      }
      if (text !== this.#loaded.text || this.#fault !== undefined)
        this.#take(loadConfigText(this.#options, text))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      this.#setFault(sayFaults(error.faults))
    }
  }

  onChange(listener: (change: ConfigChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  view(): ConfigView {
    return {
      keys: configKeys.map((key) => ({
        path: key.path,
        value: key.path === mcpServersKey ? maskServers(this.#running) : valueAt(this.#running, key.steps),
        default: key.default,
        source: this.#loaded.sources.get(key.path) ?? 'default',
        description: key.description,
        restart: key.restart ?? false,
        file_only: fileOnlyKeys.includes(key.path),
        env: key.env,
        flag: key.flag,
        schema: key.json,
        ...(this.#isPending(key.steps) ? { pending: valueAt(this.#loaded.config, key.steps) } : {}),
      })),
      file: this.#loaded.file,
      ...(this.#fault && { fault: this.#fault.message, said: toSaid(this.#fault) }),
    }
  }

  async change(actor: Actor, set: Record<string, unknown>): Promise<ConfigView> {
    await this.#exclusive(() => this.#write(set, whoIs(actor)))
    return this.view()
  }

  agentKeys(_actor: Actor): AgentConfigKey[] {
    return agentKeys(this.#running)
  }

  writeMcpServers(actor: Actor, entries: Record<string, Record<string, unknown> | undefined>): Promise<void> {
    const edits = Object.entries(entries).map(([name, value]) => ({ steps: [mcpServersKey, name], value }))
    return this.#exclusive(() => this.#writeEdits(edits, whoIs(actor)))
  }

  async changeFromAgent(actor: Actor, key: string, value: unknown): Promise<AgentConfigKey> {
    if (!isAgentWritable(key)) {
      const writable = agentKeys(this.#running).filter((known) => known.writable)
      throw new AppError(
        'forbidden',
        say('config_key_not_for_agents', { key, keys: writable.map((known) => known.key) }),
      )
    }
    await this.#exclusive(() => this.#write({ [key]: fromAgent(key, value) }, whoIs(actor)))
    const changed = this.agentKeys(actor).find((known) => known.key === key)
    if (!changed) throw new AppError('internal', say('config_key_gone', { key }))
    return changed
  }

  close(): void {
    this.#stopWatching()
    this.#listeners.clear()
  }

  /** One write after the other, each on what the one before left. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work)
    this.#writing = done.catch(() => {})
    return done
  }

  #write(set: Record<string, unknown>, who: object): Promise<void> {
    return this.#writeEdits(toConfigEdits(set, this.#loaded.sources), who)
  }

  async #writeEdits(edits: readonly ConfigEdit[], who: object): Promise<void> {
    const text = this.#goodText()
    const edited = editConfigText(text, edits)
    const loaded = this.#check(edited)
    if (edited === text) return
    try {
      await writePrivateFile(loaded.file, edited)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new AppError('unavailable', say('config_file_unwritable', { detail: reason }), { cause })
    }
    const keys = edits.map(({ steps }) => steps.join('.'))
    this.#options.logger.info({ keys, ...who }, 'Configuration changed')
    this.#take(loaded)
  }

  /** The file may have been edited since it was last read. */
  #goodText(): string {
    try {
      const text = readConfigFile(this.#loaded.file) ?? configTemplate()
      return loadConfigText(this.#options, text).text ?? text
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      throw new AppError('conflict', say('config_file_broken', { why: sayFaults(error.faults) }), {
        details: faultDetails(error.faults),
      })
    }
  }

  #check(text: string): LoadedConfig {
    try {
      return loadConfigText(this.#options, text)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      // Nothing was written: lines and columns would lead nowhere.
      const faults = error.faults.map((fault) => ({ ...fault, location: fault.path }))
      throw new AppError('invalid_request', sayFaults(faults), { details: faultDetails(faults) })
    }
  }

  #take(loaded: LoadedConfig): void {
    const before = { running: this.#running, fault: this.#fault, pending: this.pending() }
    this.#loaded = loaded
    this.#fault = undefined
    this.#running = applyWithoutRestart(this.#running, loaded.config)
    const changed = configKeys
      .filter(
        (key) => !isDeepStrictEqual(valueAt(before.running, key.steps), valueAt(this.#running, key.steps)),
      )
      .map((key) => key.path)
    const shouldNotify =
      changed.length > 0 || before.fault !== undefined || !isDeepStrictEqual(before.pending, this.pending())
    if (shouldNotify) this.#notify(changed)
  }

  #setFault(fault: Saying): void {
    if (fault.message === this.#fault?.message) return
    this.#fault = fault
    this.#options.logger.error(
      { fault: fault.message },
      'The new configuration file was not taken; the last good one stays in use',
    )
    this.#notify([])
  }

  #notify(changed: string[]): void {
    const change: ConfigChange = { changed, pending: this.pending(), fault: this.#fault }
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (err) {
        this.#options.logger.error({ err }, 'A listener of the configuration failed')
      }
    }
  }

  #isPending(steps: readonly string[]): boolean {
    return !isDeepStrictEqual(valueAt(this.#running, steps), valueAt(this.#loaded.config, steps))
  }
}

/** Names alone: what stands in an entry is shown by the endpoints for MCP servers, without its secrets. */
function maskServers({ mcpServers }: Config): Record<string, string> {
  return Object.fromEntries(Object.keys(mcpServers).map((name) => [name, 'see /api/mcp/servers']))
}

/** For the log. */
function whoIs(actor: Actor): { principal: string; by: string } {
  return { principal: actor.principal, by: actorName(actor) }
}
