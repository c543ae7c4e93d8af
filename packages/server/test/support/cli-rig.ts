/** The core of the sessions on the real CLI, without the switches that keep it from loading and beginning things: for the nets below them. */
import { type Offline, realCliPath } from '@dorkos/testkit'
import { undocumentedVariables } from 'claude-code-agent'
import { createClaudeAgent } from '../../src/adapters/claude/agent.ts'
import { admission } from '../../src/compose/model-gateway.ts'
import { startModelGateway } from '../../src/model-gateway/model-gateway.ts'
import { createSessionRig, type SessionRig, specOf } from './session-rig.ts'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export interface CliRig extends AsyncDisposable {
  rig: SessionRig
}

/** With the way to the model that sessions have: a turn may begin before the CLI asks anybody whether it may. */
export async function startCliRig(
  offline: Offline,
  { cliPath = realCliPath(), settings }: { cliPath?: string; settings?: Record<string, unknown> } = {},
): Promise<CliRig> {
  const agent = createClaudeAgent({
    cliPath,
    logger: quiet,
    configDirOf: async () => ({ configDir: offline.configDir, isOurs: true }),
    contain: () => Promise.reject(new Error('nothing is contained here')),
  })
  const admit = admission({ admit: async () => ({ ok: true }) }, (id) => rig.manager.peek(id))
  const upstream = { kind: 'anthropic' as const, baseUrl: offline.model.url, headers: async () => ({}) }
  const gateway = await startModelGateway({ upstream: () => upstream, admit, logger: quiet, env: {} })
  const rig = await createSessionRig(undefined, {
    agent: { ...agent, sweep: async () => 0 },
    sources: {
      spec: async (record) => ({
        ...specOf(record),
        ...(settings && { settings }),
        cwd: offline.cwd,
        env: {
          ...process.env,
          ...offline.overlay,
          ANTHROPIC_BASE_URL: gateway.url,
          ANTHROPIC_API_KEY: gateway.issue({ sessionId: record.id, principal: 'owner', demo: false }),
          // To root, Claude Code refuses to bypass permissions else.
          [undocumentedVariables.contained.name]: '1',
        },
        settingSources: ['user', 'project', 'local'],
      }),
    },
  })
  await rig.manager.start()
  return {
    rig,
    async [Symbol.asyncDispose]() {
      await rig.manager.stop(0)
      await gateway.close()
    },
  }
}
