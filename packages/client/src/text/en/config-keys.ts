import { listConfigKeys } from '@dorkos/shared'

/** What each key of the configuration is for, by its path: as the schema says it, which the documentation is made of. */
export const configKeys: Readonly<Record<string, string>> = Object.fromEntries(
  listConfigKeys().map(({ path, description }) => [path, description]),
)
