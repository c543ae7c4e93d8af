/** Why a turn or a process ended, why an approval is void, and what sessions are shown besides. */
const hooksAndPlugins = (hooks: number, plugins: number) =>
  [
    hooks > 0 ? `${hooks} hook${hooks === 1 ? '' : 's'}` : '',
    plugins > 0 ? `${plugins} plugin${plugins === 1 ? '' : 's'}` : '',
  ]
    .filter((part) => part !== '')
    .join(' and ')

export interface Minutes {
  minutes: number
}

export const turnWords = {
  turn_interrupted: 'The turn was interrupted.',
  turn_unconfirmed: ({ why }: { why: string }) =>
    `${why} The agent may or may not have received this message. Send it again or discard it.`,
  turn_message_resent: 'The message was resent.',
  turn_calls_denied: ({ calls }: { calls: number }) =>
    calls === 1
      ? 'The only tool call in this turn was denied.'
      : `All ${calls} tool calls in this turn were denied.`,
  turn_uncaused:
    'The agent started work that no one asked for and that its own background work didn’t cause, so DorkOS stopped it. Something is starting turns automatically: a schedule of Claude Code, an agent with its own prompt, or a plugin.',
  turn_ran_denied: ({ tool }: { tool: string }) => ranOtherwise(tool, 'although it was denied'),
  turn_ran_unasked: ({ tool }: { tool: string }) => ranOtherwise(tool, 'before anyone had answered'),
  turn_ran_other: ({ tool }: { tool: string }) =>
    ranOtherwise(tool, 'with input that differs from what was decided on'),
  turn_ran_unseen: ({ tool }: { tool: string }) => ranOtherwise(tool, 'without DorkOS seeing the call first'),
  session_archived: 'The session was archived.',
  session_stopped: 'The session was stopped.',
  session_deleted: 'The session was deleted.',
  session_closed: 'The session was closed.',
  session_given_up: 'The session was closed while its process was starting.',
  session_taken_anew: 'The session was taken over.',
  server_stopped: 'The server stopped.',
  server_stopped_in_turn: 'The server stopped before the turn ended.',
  cli_ended: 'The CLI exited.',
  process_not_started: 'The agent didn’t start.',
  process_not_begun: 'The process couldn’t start its session.',
  process_idle: 'The process was idle.',
  process_spare: 'The process was a spare.',
  settings_changed: 'Claude Code’s settings changed.',
  hooks_changed: 'Hooks or plugins here changed.',
  limit_changed: 'A limit changed.',
  folder_confirmed: 'The folder was confirmed.',
  mcp_tools_withdrawn: ({ server }: { server: string }) =>
    `Some tools of the MCP server ${server} are no longer available.`,
  budget_of_day_used: ({ used, limit }: { used: string; limit: string }) =>
    `Today’s budget is used up: ${used} of ${limit}. To continue, raise the daily budget under Costs.`,
  budget_of_session_used: ({ used, limit }: { used: string; limit: string }) =>
    `This session’s budget is used up: ${used} of ${limit}. To continue, raise the session’s budget.`,

  void_server_stopped:
    'The server stopped, so this can no longer be answered. Send your message again to continue.',
  void_agent_gone: 'The agent that asked is gone. Nothing ran.',
  void_nobody_answered_call:
    'No one answered in time, so this was denied. The call didn’t run. Continue without it, or stop and say what you need.',
  void_nobody_answered:
    'No one answered in time, so this was denied. There’s no answer. Continue without it, or stop and say what you need.',
  void_turn_ended: 'The agent’s turn ended, so this no longer needs an answer.',

  notice_workspace_changed:
    'The workspace has changed. Its servers, settings and hooks aren’t loaded until you review it.',
  notice_workspace_trusted_again:
    'The workspace is the same as when it was trusted. Its servers, settings and hooks are loaded again.',
  notice_workspace_trusted:
    'The workspace is trusted. Its servers, settings and hooks apply from the next message.',
  notice_workspace_untrusted:
    'The workspace is no longer trusted. Its servers, settings and hooks aren’t loaded.',
  notice_hooks_wait: ({ hooks, plugins }: { hooks: number; plugins: number }) =>
    `Not used here until you review them on the workspace’s page: ${hooksAndPlugins(hooks, plugins)} from your settings.`,
  notice_in_line:
    'As many agents are running as the configuration allows. This one starts when another is idle.',
  notice_call_denied: ({ tool, message }: { tool: string; message: string }) => `${tool}: ${message}`,
  notice_compacting: 'Compacting the conversation',
  notice_compacting_failed: 'Compacting failed',
  notice_cleared: 'The conversation was cleared',
  notice_writes_lost: ({ code, parts }: { code: string | undefined; parts: readonly string[] }) =>
    `The disk is full (${code ?? 'no space'}). Lines were lost from ${parts.join(', ') || 'the session'}.`,
  notice_mcp_connected: ({ server, tools }: { server: string; tools: number }) =>
    `The MCP server ${server} is now connected, with ${tools} tool${tools === 1 ? '' : 's'}.`,
  notice_mcp_process_idle: ({ server }: { server: string }) =>
    mcpProcess(server, 'was stopped because it had been idle for a long time'),
  notice_mcp_process_made_room: ({ server }: { server: string }) =>
    mcpProcess(server, 'was stopped to make room for another session’s'),
  notice_mcp_process_failed: ({ server, detail }: { server: string; detail: string }) =>
    mcpProcess(server, `failed: it ${detail}`),
  stuck_closing: ({ minutes }: Minutes) => stuck('The session has been closing', minutes),
  stuck_starting: ({ minutes }: Minutes) => stuck('The agent’s process has been starting', minutes),
  stuck_ending: ({ minutes }: Minutes) =>
    stuck('The agent’s process is gone, and DorkOS has been cleaning up after it', minutes),
  stuck_handing_over: ({ minutes }: Minutes) =>
    stuck('DorkOS has been handing a message to the agent', minutes),
  stuck_beginning: ({ minutes }: Minutes) =>
    stuck('The agent has been working without starting on the message it was given', minutes),
  stuck_storing: ({ minutes }: Minutes) => stuck('DorkOS has been trying to store an event', minutes),
  stuck_preparing: ({ minutes }: Minutes) =>
    stuck('The next message has been waiting for its process', minutes),
  repaired_turn_in_idle_agent:
    'The agent was idle but never reported the end of its turn. DorkOS restarted its process.',
  repaired_turn_without_process:
    'A turn was recorded as running, but no process was working on it. DorkOS ended it.',
  repaired_queue_asleep: 'Messages were queued although nothing paused them. They run now.',
  repaired_state_without_work: 'The session was shown as working, but nothing was running in it.',
  repaired_work_without_state: 'The session was shown as idle, but its agent was working.',
}

function ranOtherwise(tool: string, how: string): string {
  return `${tool} ran ${how}, so DorkOS stopped the agent. Something inside Claude Code answers or changes calls, such as a hook in this machine’s policy. The audit log shows what ran.`
}

function mcpProcess(server: string, ended: string): string {
  return `This session’s own process of the MCP server ${server} ${ended}. Its state is gone, and the next call starts a new one.`
}

function stuck(what: string, minutes: number): string {
  return `${what} for ${minutes} minutes. If it doesn’t recover, end the session’s process and start it again.`
}
