import { createSdkMcpServer, type SdkMcpServer, tool } from '../../src/index.ts'

export interface OpenTool {
  /** Serves the tools `slow`, which never answers, and `release`, which answers once it is told to. */
  readonly server: SdkMcpServer
  /** The signal of the call of `slow`, once there was one. */
  readonly called: Promise<AbortSignal>
  release(): void
}

/** A tool call that stays open, and one whose end the test decides: what follows it in a scenario happens then. */
export function openTool(): OpenTool {
  let onCall: (signal: AbortSignal) => void = () => {}
  let release = () => {}
  const called = new Promise<AbortSignal>((resolve) => {
    onCall = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const slow = tool({
    name: 'slow',
    description: 'Never answers',
    inputSchema: {},
    handler: (_, { signal }) => {
      onCall(signal)
      return new Promise<string>(() => {})
    },
  })
  const gate = tool({
    name: 'release',
    description: 'Answers when it is told to',
    inputSchema: {},
    handler: async () => {
      await released
      return 'released'
    },
  })
  return {
    server: createSdkMcpServer({ name: 'open', tools: [slow, gate] }),
    called,
    release: () => release(),
  }
}
