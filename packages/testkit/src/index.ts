export {
  apiError,
  type Block,
  type BreakPoint,
  type CutReply,
  cut,
  type ErrorOptions,
  type ErrorReply,
  type HangReply,
  hang,
  type MessageReply,
  ModelRequest,
  type Pace,
  type Reply,
  type ReplyOptions,
  type RequestBody,
  type RequestContent,
  type RequestKind,
  type RequestMatcher,
  type RequestMessage,
  type RequestTool,
  type RequestToolResult,
  reply,
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptFunction,
  type Step,
  type StopReason,
  startScriptedModel,
  type TextBlock,
  type ThinkingBlock,
  type ToolUseBlock,
  text,
  thinking,
  toolUse,
  type Usage,
  type WaitOptions,
} from '@dorkos/scripted-model'
export { type AuthServer, type AuthServerOptions, startAuthServer } from './auth-server.ts'
export type { LogEntry } from './fake-cli/log.ts'
export {
  type Answer as ControlAnswer,
  type CliStep,
  type JunkKind,
  junkKinds,
  type Scenario,
} from './fake-cli/scenario.ts'
export { steps } from './fake-cli/steps.ts'
export { type FakeCli, type FakeCliOptions, fakeCli } from './fake-cli.ts'
export { fakeCliInProcess, type InProcessCli, type InProcessOptions } from './fake-cli-in-process.ts'
export {
  type Offline,
  type OfflineEnvironment,
  type OfflineEnvironmentOptions,
  offlineEnvironment,
  type StartOfflineOptions,
  startOffline,
} from './offline-environment.ts'
export { realCliPath } from './real-cli.ts'
