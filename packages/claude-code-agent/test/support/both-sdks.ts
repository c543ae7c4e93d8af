import * as officialSdk from '@anthropic-ai/claude-agent-sdk'
import * as ourSdk from '../../src/index.ts'

/** What programs use of an SDK, in the official types: what such a program may do, it may do with ours. */
export type Sdk = Pick<typeof officialSdk, 'query' | 'tool' | 'createSdkMcpServer' | 'AbortError'>

export type Options = officialSdk.Options
export type Message = officialSdk.SDKMessage
export type UserMessage = officialSdk.SDKUserMessage
export type Query = officialSdk.Query

export const official: Sdk = officialSdk
export const ours = ourSdk as unknown as Sdk
