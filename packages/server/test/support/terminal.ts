import { offlineEnvironment, realCliPath } from '@dorkos/testkit'
import { ClaudeCodeAgent } from 'claude-code-agent'
import type { Host } from './start-host.ts'

export interface Terminal {
  readonly id: string
  /** Says it and waits for the end of the turn. */
  say(prompt: string): Promise<void>
  close(): Promise<void>
}

export async function openTerminal(host: Host, title?: string): Promise<Terminal> {
  const agent = new ClaudeCodeAgent({ cliPath: realCliPath() })
  const { overlay } = await offlineEnvironment({ model: host.model, home: host.root })
  const session = await agent.startSession({
    keepAlive: true,
    projectPath: host.cwd,
    options: { env: overlay, permissionMode: 'acceptEdits', ...(title !== undefined && { title }) },
  })
  return {
    id: session.id,
    async say(prompt) {
      const ended = new Promise((resolve) => session.on('turnEnd', resolve))
      await session.send(prompt)
      await ended
    },
    async close() {
      await session.close()
      await agent.close()
    },
  }
}
