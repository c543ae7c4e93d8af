/** Whether a settings file opens the sandbox for commands. Pure. */
import { isRecord } from '@dorkos/shared'

/**
 * Keys of `sandbox` that take nothing from it, or that ours overrule. Any other counts, also one that a later CLI brings: by some (2.1.325)
 * commands run outside of it, see or write more, or reach other programs; by others the CLI itself runs a program that the file names
 * (`ripgrep`), outside of it and before each command.
 */
const harmless: Readonly<Record<string, readonly string[]>> = {
  sandbox: [
    ...['enabled', 'failIfUnavailable', 'autoAllowBashIfSandboxed', 'allowUnsandboxedCommands'],
    ...['ignoreViolations', 'credentials', 'filesystem', 'network'],
  ],
  filesystem: ['denyRead', 'denyWrite', 'allowManagedReadPathsOnly'],
  network: ['allowedDomains', 'deniedDomains', 'strictAllowlist', 'allowManagedDomainsOnly'],
}

export function loosensSandbox({ sandbox, permissions }: Record<string, unknown>): boolean {
  if (opensFolders(permissions)) return true
  if (!isRecord(sandbox)) return false
  const blocks = { sandbox, filesystem: sandbox.filesystem, network: sandbox.network }
  return Object.entries(blocks).some(
    ([name, block]) =>
      isRecord(block) &&
      Object.entries(block).some(([key, value]) => isSet(value) && !harmless[name]?.includes(key)),
  )
}

/** What file tools may write by these is written by sandboxed commands, too (2.1.325). A path below the workspace opens nothing. */
function opensFolders(permissions: unknown): boolean {
  if (!isRecord(permissions)) return false
  const { allow, additionalDirectories } = permissions
  const rules = Array.isArray(allow) ? allow : [allow]
  return isSet(additionalDirectories) || rules.some((rule) => leadsOut.test(String(rule)))
}

const leadsOut = /^\s*Edit\s*\(\s*([/~$]|.*\.\.)/

/** Whatever stands there counts, but for what says no. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}
