export {
  type Block,
  type TextBlock,
  type ThinkingBlock,
  type ToolUseBlock,
  text,
  thinking,
  toolUse,
} from './block.ts'
export { demoModel } from './demo/demo-model.ts'
export { type ModelHandler, type ModelHandlerOptions, modelHandler } from './model-handler.ts'
export { ModelRequest, type RequestToolResult } from './model-request.ts'
export {
  apiError,
  type BreakPoint,
  type CutReply,
  cut,
  type ErrorOptions,
  type ErrorReply,
  type HangReply,
  hang,
  type MessageReply,
  type Pace,
  type Reply,
  type ReplyOptions,
  reply,
  type Step,
  type StopReason,
  type Usage,
} from './reply.ts'
export type { RequestBody, RequestContent, RequestMessage, RequestTool } from './request-body.ts'
export type { RequestKind } from './request-kind.ts'
export type { RequestMatcher } from './request-log.ts'
export type { Script, ScriptFunction } from './script.ts'
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
  type WaitOptions,
} from './scripted-model.ts'
