import { type Config, configSchema } from '@dorkos/shared'
import { configKeys, valueAt, withValue } from './config-keys.ts'

/** The new configuration, in which keys that need a restart keep the value that the server runs with. */
export function applyWithoutRestart(running: Config, next: Config): Config {
  let mixed: Record<string, unknown> = next
  for (const key of configKeys) {
    if (key.restart) mixed = withValue(mixed, key.steps, valueAt(running, key.steps))
  }
  return configSchema.parse(mixed)
}
