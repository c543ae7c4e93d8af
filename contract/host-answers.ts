/** What hosts, hooks and models say to the CLI, in its own words. */
import { type ToolUseBlock, toolUse } from '@dorkos/testkit'
import type { Frame } from './cli.ts'

export function preToolUse(verdict: 'allow' | 'deny' | 'ask', more: Frame = {}): Frame {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: verdict,
      permissionDecisionReason: `host says ${verdict}`,
      ...more,
    },
  }
}

/** A decision for a `PermissionRequest` hook: the tool may run. */
export const permissionGranted = {
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
}

/** An entry of `hooks` in a settings file. */
export function commandHook(command: string): Frame[] {
  return [{ hooks: [{ type: 'command', command }] }]
}

/** A server in the host's process with these tools: answers what the CLI asks any server. */
export function toolServer(
  tools: () => Frame[],
  call: (params: Frame) => Frame | undefined = () => textResult('called'),
): (message: Frame) => unknown {
  return ({ method, params }) => {
    if (method === 'initialize') return serverInfo
    if (method === 'tools/list') return { tools: tools() }
    return method === 'tools/call' ? call(params) : {}
  }
}

export const serverInfo = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'contract', version: '1.0.0' },
}

export function namedTool(name: string, annotations: Frame = {}): Frame {
  return { name, description: name, inputSchema: { type: 'object', properties: {} }, annotations }
}

export function textResult(text: string): Frame {
  return { content: [{ type: 'text', text }] }
}

/** The call that starts a subagent and waits for it. */
export function subagent(type: string, more: Frame = {}): ToolUseBlock {
  const input = { subagent_type: type, description: 'd', prompt: 'p', run_in_background: false }
  return toolUse('Agent', { ...input, ...more })
}
