/** Hooks of a workspace: who can be asked about them, and which files say it. */
import { homedir } from 'node:os'
import { hookEvents } from 'claude-code-agent'
import { createHookFiles } from './adapters/hook-files/hook-files.ts'
import type { ComposeInput } from './compose-input.ts'
import { createHookService } from './core/hooks/hook-service.ts'
import type { HookService } from './core/services.ts'
import type { AgentManager } from './core/sessions/agent-manager.ts'
import type { Workspaces } from './core/workspaces.ts'
import { cliConfigDir } from './launch-parts.ts'

export function openHooks(
  input: ComposeInput,
  { workspaces, manager }: { workspaces: Workspaces; manager: AgentManager },
): HookService {
  const files = createHookFiles({
    claudeConfigDir: cliConfigDir(input),
    ownerHome: input.env.HOME ?? homedir(),
    events: new Set<string>(hookEvents),
  })
  return createHookService({
    workspaces,
    runners: () => manager.runners(),
    files,
    events: hookEvents,
    logger: input.logger,
  })
}
