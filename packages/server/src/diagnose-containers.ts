/** Whether workspaces of mode `container` can run here. */
import { type Config, say } from '@dorkos/shared'
import { findContainerTools } from './adapters/container/find-container-tools.ts'
import { findModelSource } from './credentials/find-model-source.ts'
import type { Diagnosis } from './diagnose.ts'

/** Nothing here is a fault: whoever has no such workspace needs none of it. */
export async function diagnoseContainers(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Diagnosis> {
  const check = 'containers'
  const refuse = (reason: string, fix: string): Diagnosis => {
    const detail = `workspaces of mode container refuse to start: ${reason}`
    return { check, state: 'warning', detail, fix: `${fix}, or do without such workspaces.` }
  }
  const found = await findContainerTools(env)
  if (!found.tools) return refuse(found.reason.message, 'Mend that')
  if (findModelSource({ config, env }).kind === 'cli')
    return refuse(say('containers_without_gateway').message, 'Set ANTHROPIC_API_KEY')
  return { check, state: 'ok', detail: 'workspaces of mode container can run (tried just now)' }
}
