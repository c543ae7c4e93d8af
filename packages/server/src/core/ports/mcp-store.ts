/** What is remembered about MCP servers: how their tools were when a person last saw them, what was switched off, and who signed in. */

import type { CatalogueTool, SignIn, SignInClient } from '@dorkos/mcp-gateway'
import type { McpScope, McpSharing } from '@dorkos/shared'

/** A tool as it was first seen, or as a person accepted it last. */
export interface ToolPin {
  tool: string
  /** `pinOf` of the definition. */
  hash: string
  definition: CatalogueTool
  /** It came after its server's first tools, and nobody has reviewed it yet. */
  isNew?: true
  /** Absent when nobody looked: it is how the tool was when it came. */
  acceptedBy?: string
  at: string
}

/** For a workspace or a session: a whole server, or one of its tools. */
export interface McpSwitch {
  target: { kind: 'workspace' | 'session'; id: string }
  server: string
  /** The server's own name for it; absent: the whole server. */
  tool?: string
  by: string
  at: string
}

/** Whether the sessions of a workspace share a server's process, as a person chose it. */
export interface McpSharingChoice {
  workspaceId: string
  server: string
  sharing: McpSharing
  by: string
  at: string
}

/** What a person's sign-in to a server left. Holds secrets: it goes nowhere but to the servers that it is for. */
export interface McpSignIn {
  /** Of `signInKeyOf`. */
  key: string
  /** The server's name, and where its entry stood. */
  server: string
  scope: McpScope
  /** The workspace that it is for, where it is not for all. */
  audience?: string
  /** What DorkOS is to the authorization server. Stays when the tokens are lost. */
  client: SignInClient
  /** Absent when what was granted is not valid any more. */
  signIn?: SignIn
  by: string
  at: string
}

/** All names and keys may be any text. */
export interface McpStore {
  /** Pins of a server, by the supervisor's key, in the order in which they came. */
  pins(serverKey: string): Promise<ToolPin[]>
  /** Adds or replaces, all or none. */
  setPins(serverKey: string, pins: readonly ToolPin[]): Promise<void>
  removePins(serverKey: string, tools: readonly string[]): Promise<void>

  /** In the order in which they were made. A session or workspace that is removed takes its switches with it, in one step. */
  switches(): Promise<McpSwitch[]>
  /** Off: adds it unless it is there; `not_found` when the session or workspace has no record. */
  switchOff(what: McpSwitch): Promise<void>
  /** False when it was not off. */
  switchOn(what: Pick<McpSwitch, 'target' | 'server' | 'tool'>): Promise<boolean>

  /** In the order in which they were first made. A workspace that is removed takes its choices with it, in one step. */
  sharings(): Promise<McpSharingChoice[]>
  /** Adds or replaces, by workspace and server; `not_found` when the workspace has no record. */
  setSharing(choice: McpSharingChoice): Promise<void>
  /** False when there was none. */
  removeSharing(choice: Pick<McpSharingChoice, 'workspaceId' | 'server'>): Promise<boolean>

  /** Servers that asked a person for input, by key. */
  asking(): Promise<string[]>
  setAsking(serverKey: string): Promise<void>

  /** In the order in which they were first made. */
  signIns(): Promise<McpSignIn[]>
  /** Adds or replaces, by its key. */
  setSignIn(signIn: McpSignIn): Promise<void>
  /** False when there was none. */
  removeSignIn(key: string): Promise<boolean>
}
