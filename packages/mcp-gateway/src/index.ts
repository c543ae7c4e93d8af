/** The whole public surface of the package. What is exported here is API. */
export { createBridge } from './bridge/bridge.ts'
export type {
  BridgedServer,
  BridgeOptions,
  JsonRpcMessage,
  SessionConnection,
  SessionLink,
} from './bridge/bridge-types.ts'
export { fullToolName, offeredNameFault, offerToolNames, type ToolNames } from './bridge/tool-names.ts'
export { canonicalJson } from './canonical-json.ts'
export {
  type Catalogue,
  type CatalogueTool,
  type Definition,
  emptyCatalogue,
} from './catalogue/catalogue.ts'
export { cleanCatalogue, type RawCatalogue } from './catalogue/clean-catalogue.ts'
export {
  type ChangedTool,
  comparePins,
  type KnownPin,
  type PinComparison,
  type PinDiff,
  pinOf,
} from './catalogue/tool-pin.ts'
export { McpCallError } from './errors.ts'
export { hostOfSignIn, renewSignIn, revokeSignIn, type SignIn } from './oauth/kept-sign-in.ts'
export {
  type BegunSignIn,
  beginSignIn,
  canSignIn,
  finishSignIn,
  type OpenSignIn,
  type SignInRequest,
  type SignInReturn,
} from './oauth/sign-in.ts'
export type { SignInClient } from './oauth/sign-in-client.ts'
export { SignInError } from './oauth/sign-in-error.ts'
export type { HttpLaunch, Launch, ServerEntry, Sharing, StdioLaunch } from './server-entry.ts'
export type { ServerState, ServerStateChange, ServerStatus, ToolStats } from './server-status.ts'
export type {
  ElicitationRequest,
  ElicitationResult,
  Holder,
  OwnEnd,
  ServerChange,
  ServerHold,
  ToolCallOptions,
} from './supervisor/supervised-server.ts'
export { createSupervisor } from './supervisor/supervisor.ts'
export type {
  Supervisor,
  SupervisorClock,
  SupervisorLogger,
  SupervisorOptions,
} from './supervisor/supervisor-types.ts'
export type { UpstreamCredentials } from './upstream/credentials.ts'
