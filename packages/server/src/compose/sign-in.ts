/** Signing in where the server has no terminal: what it needs to know of agents and of their sandbox. */
import type { Auth } from '../core/auth.ts'
import type { AgentManager } from '../core/sessions/agent-manager.ts'
import { createSignInWithoutTerminal, type SignInWithoutTerminal } from '../core/sign-in-without-terminal.ts'
import type { Workspaces } from '../core/workspaces.ts'
import type { ComposeInput } from './compose-input.ts'
import type { HookParts } from './hooks.ts'

export function openSignIn(
  input: ComposeInput,
  parts: { auth: Auth; workspaces: Workspaces; hooks: HookParts; manager: AgentManager },
): SignInWithoutTerminal {
  const { auth, workspaces, hooks, manager } = parts
  return createSignInWithoutTerminal({
    auth,
    values: input.store.records,
    agentsHaveActed: () => agentsHaveActed(input),
    sandbox: {
      ...input.sandbox,
      platform: process.platform,
      async openedBy() {
        const all = await workspaces.list()
        const inWorkspaces = await Promise.all(all.map((workspace) => hooks.opensSandbox(workspace)))
        // Those outside of workspaces, and those that started before a file was changed.
        const running = manager.runners().flatMap((runner) => runner.hooks?.states.loosening ?? [])
        return [...inWorkspaces.flat(), ...running]
      },
    },
    logger: input.logger,
  })
}

/** Every tool call is in the audit log before it is decided about. */
export function agentsHaveActed({ store }: Pick<ComposeInput, 'store'>): Promise<boolean> {
  return store.records.audit.has('tool_requested')
}
