/** Profiles: where they are, and what they may name. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProfileImports } from '../adapters/profile-files/find-importable.ts'
import { createProfileFiles } from '../adapters/profile-files/profile-files.ts'
import type { Mcp } from '../core/mcp/mcp.ts'
import type { Audit } from '../core/permissions/audit.ts'
import { Profiles } from '../core/profiles/profile-service.ts'
import type { CommandService } from '../core/services.ts'
import type { Workspaces } from '../core/workspaces.ts'
import { type ComposeInput, closedFolders } from './compose-input.ts'
import { cliConfigDir } from './launch.ts'

export function openProfiles(
  input: ComposeInput,
  parts: { workspaces: Workspaces; audit: Audit; mcp: Mcp; commands: CommandService },
): Profiles {
  const { workspaces, audit, mcp, commands } = parts
  return new Profiles({
    files: createProfileFiles(),
    workspaces,
    audit,
    ownerFolder: join(input.settingsFolder, 'agents'),
    shippedFolder: fileURLToPath(new URL('../../profiles', import.meta.url)),
    async serversOf(workspaceId) {
      const { servers } = await mcp.inWorkspace(workspaceId)
      const { active, overridden, filtered } = servers
      return [...active, ...overridden, ...filtered].map(({ server }) => server.name)
    },
    skillsOf: async (actor, workspaceId) =>
      (await commands.ofWorkspace(actor, workspaceId)).commands.map(({ name }) => name),
    imports: createProfileImports({
      claudeConfigDir: cliConfigDir(input),
      ownerHome: input.env.HOME ?? homedir(),
      closed: closedFolders(input),
    }),
  })
}
