/** The configuration from its four sources: flags over environment over file over defaults. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Config, configSchema } from '@dorkos/shared'
import { checkExposure } from './check-exposure.ts'
import { coerce } from './coerce.ts'
import { ConfigError, type ConfigFault } from './config-error.ts'
import { configKeys, findConfigKey, type KnownKey, valueAt, withValue } from './config-keys.ts'
import { describeSchema } from './describe-schema.ts'
import { findFaults, pathText, shown } from './find-faults.ts'
import { type ParsedText, parseConfigText } from './parse-config-text.ts'
import { readConfigFile } from './read-config-file.ts'
import { resolvePaths } from './resolve-paths.ts'

export const CONFIG_FILE = 'config.jsonc'

export type ConfigSource = 'default' | 'file' | 'env' | 'flag'

export interface ConfigInput {
  /** Where the file is: the state folder, or one that servers share. */
  home: string
  env: Readonly<Record<string, string | undefined>>
  /** By the flag's name: `{ '--port': '4242', '--insecure-lan': true }`. */
  flags?: Readonly<Record<string, string | boolean | undefined>>
  /** Relative paths of variables and flags start here. Default: the process's directory. */
  cwd?: string
}

export interface LoadedConfig {
  config: Config
  /** By path, for every key. */
  sources: Map<string, ConfigSource>
  file: string
  /** The file's text; undefined where there is no file. */
  text: string | undefined
}

/** Throws ConfigError with every fault of every source. */
export function loadConfig(input: ConfigInput): LoadedConfig {
  const file = join(input.home, CONFIG_FILE)
  return loadConfigText(input, readConfigFile(file))
}

/** As loadConfig, with this text in place of what the file holds. */
export function loadConfigText(input: ConfigInput, text: string | undefined): LoadedConfig {
  const file = join(input.home, CONFIG_FILE)
  const parsed = parseConfigText(text ?? '{}', file)
  const given = new Map<string, Given>()
  const faults = [...parsed.faults, ...fileFaults(parsed), ...readGiven(input, given)]
  const sources = new Map(configKeys.map((key) => [key.path, sourceOf(key, given, parsed.value)]))
  let merged = parsed.value
  for (const { key, value } of given.values()) merged = withValue(merged, key.steps, value)
  const base = { ownerHome: input.env.HOME || homedir(), cwd: input.cwd ?? process.cwd() }
  const fromFile = (path: string) => !given.has(path)
  const resolved = resolvePaths(merged, fromFile, base)
  for (const { path, value } of resolved.relative) {
    const message = `${pathText(path)} is ${shown(value)}; it must be an absolute path, or begin with ~/`
    faults.push({ path: pathText(path), message, location: parsed.location(path) })
  }
  const whole = configSchema.safeParse(resolved.value)
  if (!whole.success || faults.length > 0) throw new ConfigError(faults)
  const exposed = checkExposure(whole.data)
  if (exposed !== undefined) {
    throw new ConfigError([{ path: 'host', message: exposed, location: locationOf('host', given, parsed) }])
  }
  return { config: whole.data, sources, file, text }
}

/** A value that a variable or a flag gave. */
interface Given {
  key: KnownKey
  value: unknown
  source: 'env' | 'flag'
  location: string
}

function fileFaults(parsed: ParsedText): ConfigFault[] {
  return findFaults(parsed.value).map(({ path, message, unknownKey }) => ({
    path: pathText(path),
    message,
    location: parsed.location(path, unknownKey ? 'key' : undefined),
  }))
}

/** Fills `given`, flags over variables, and returns what is wrong with either. */
function readGiven(input: ConfigInput, given: Map<string, Given>): ConfigFault[] {
  const faults = unknownFlags(input.flags ?? {})
  for (const key of configKeys) {
    const sources = [
      {
        source: 'env' as const,
        location: key.env,
        raw: key.env === undefined ? undefined : input.env[key.env],
      },
      {
        source: 'flag' as const,
        location: key.flag,
        raw: key.flag === undefined ? undefined : input.flags?.[key.flag],
      },
    ]
    for (const { source, location, raw } of sources) {
      // An empty variable is one that a shell script meant to leave out.
      if (location === undefined || raw === undefined || raw === '') continue
      const value = typeof raw === 'string' ? coerce(raw, key.json) : raw
      if (key.schema.safeParse(value).success) given.set(key.path, { key, value, source, location })
      else {
        const message = `${key.path} is ${shown(raw)}; it must be ${describeSchema(key.json)}`
        faults.push({ path: key.path, message, location })
      }
    }
  }
  return faults
}

function unknownFlags(flags: NonNullable<ConfigInput['flags']>): ConfigFault[] {
  return Object.keys(flags)
    .filter((flag) => flags[flag] !== undefined && !configKeys.some((key) => key.flag === flag))
    .map((flag) => ({ path: '', message: `there is no flag ${flag}`, location: flag }))
}

function sourceOf(key: KnownKey, given: Map<string, Given>, file: unknown): ConfigSource {
  return given.get(key.path)?.source ?? (valueAt(file, key.steps) === undefined ? 'default' : 'file')
}

function locationOf(path: string, given: Map<string, Given>, parsed: ParsedText): string {
  return given.get(path)?.location ?? parsed.location(findConfigKey(path)?.steps ?? [])
}
