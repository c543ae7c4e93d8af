import { createSdkMcpServer, type SdkMcpServer, tool } from '../../src/index.ts'
import { deferred } from '../../src/session/deferred.ts'

export interface OpenTool {
  /** Serves the tools `slow`, which never answers, and `release`, which answers once it is told to. */
  readonly server: SdkMcpServer
  /** The signal of the call of `slow`, once there was one. */
  readonly called: Promise<AbortSignal>
  release(): void
}

/** A tool call that stays open, and one whose end the test decides: what follows it in a scenario happens then. */
export function openTool(): OpenTool {
  const called = deferred<AbortSignal>()
  const released = deferred<void>()
  const slow = tool({
    name: 'slow',
    description: 'Never answers',
    inputSchema: {},
    handler: (_, { signal }) => {
      called.resolve(signal)
      return new Promise<string>(() => {})
    },
  })
  const gate = tool({
    name: 'release',
    description: 'Answers when it is told to',
    inputSchema: {},
    handler: async () => {
      await released.promise
      return 'released'
    },
  })
  return {
    server: createSdkMcpServer({ name: 'open', tools: [slow, gate] }),
    called: called.promise,
    release: () => released.resolve(),
  }
}
