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
    `${why} It is not known whether the agent received this message; send it again or drop it.`,
  turn_message_resent: 'The message is sent again.',
  turn_calls_denied: ({ calls }: { calls: number }) =>
    calls === 1
      ? 'The only tool call of this turn was denied.'
      : `All ${calls} tool calls of this turn were denied.`,
  turn_uncaused:
    'The agent began to work on something that nobody said, and that is no news of what it had begun itself, so it was stopped. Something starts turns by itself: a schedule of Claude Code, an agent with a prompt of its own, or a plugin.',
  turn_ran_denied: ({ tool }: { tool: string }) => ranOtherwise(tool, 'although it was denied'),
  turn_ran_unasked: ({ tool }: { tool: string }) => ranOtherwise(tool, 'although a person was to be asked'),
  turn_ran_other: ({ tool }: { tool: string }) =>
    ranOtherwise(tool, 'with another input than was decided about'),
  turn_ran_unseen: ({ tool }: { tool: string }) => ranOtherwise(tool, 'without having been seen before'),
  session_archived: 'The session was archived.',
  session_stopped: 'The session was stopped.',
  session_deleted: 'The session was deleted.',
  session_closed: 'The session was closed.',
  session_given_up: 'The session was given up.',
  session_taken_anew: 'The session was taken over.',
  server_stopped: 'The server stopped.',
  server_stopped_in_turn: 'The server stopped before the turn was over.',
  cli_ended: 'The CLI ended.',
  process_not_started: 'The agent did not start.',
  process_not_begun: 'The process could not begin its session.',
  process_idle: 'The process was idle.',
  process_spare: 'The process was a spare one.',
  settings_changed: 'Settings of Claude Code have changed.',
  hooks_changed: 'Hooks or plugins of this place have changed.',
  limit_changed: 'A limit was changed.',
  folder_confirmed: 'The folder was confirmed.',
  mcp_tools_withdrawn: ({ server }: { server: string }) =>
    `Tools of the MCP server ${server} were withdrawn.`,
  budget_of_day_used: ({ used, limit }: { used: string; limit: string }) =>
    `The budget of this day is used up: ${used} of ${limit}. Raise the budget of the day, with the costs, to go on.`,
  budget_of_session_used: ({ used, limit }: { used: string; limit: string }) =>
    `The budget of this session is used up: ${used} of ${limit}. Raise the budget of the session to go on.`,

  void_server_stopped:
    'Nobody can answer this any more: the server stopped. Send your message again to go on.',
  void_agent_gone: 'The agent that asked is gone; nothing was run.',
  void_nobody_answered_call:
    'Nobody answered in time, so this was denied. The call was not run; go on without it, or end and say what you need.',
  void_nobody_answered:
    'Nobody answered in time, so this was denied. There is no answer; go on without it, or end and say what you need.',
  void_turn_ended: 'The agent no longer waits for this: its turn was ended.',

  notice_workspace_changed:
    'The workspace changed: its servers, settings and hooks no longer count until you look at them.',
  notice_workspace_trusted_again:
    'The workspace is as it was trusted again: its servers, settings and hooks count.',
  notice_workspace_trusted:
    'The workspace is trusted: its servers, settings and hooks count from the next message on.',
  notice_workspace_untrusted:
    'The workspace is not trusted any more: its servers, settings and hooks no longer count.',
  notice_hooks_wait: ({ hooks, plugins }: { hooks: number; plugins: number }) =>
    `${hooksAndPlugins(hooks, plugins)} of your settings do not count here until you have looked at them: they are on the page of the workspace.`,
  notice_in_line: 'As many agents run as the configuration allows; this one starts when one of them is idle.',
  notice_call_denied: ({ tool, message }: { tool: string; message: string }) => `${tool}: ${message}`,
  notice_compacting: 'Compacting the conversation',
  notice_compacting_failed: 'Compacting failed',
  notice_cleared: 'The conversation was cleared',
  notice_writes_lost: ({ code, parts }: { code: string | undefined; parts: readonly string[] }) =>
    `The disk is full (${code ?? 'no space'}): lines were lost of ${parts.join(', ') || 'the session'}`,
  notice_mcp_connected: ({ server, tools }: { server: string; tools: number }) =>
    `The MCP server ${server} is connected now: ${tools} tool${tools === 1 ? '' : 's'}.`,
  notice_mcp_process_idle: ({ server }: { server: string }) =>
    mcpProcess(server, 'was ended because it had nothing to do for long'),
  notice_mcp_process_made_room: ({ server }: { server: string }) =>
    mcpProcess(server, 'was ended to make room for one of another session'),
  notice_mcp_process_failed: ({ server, detail }: { server: string; detail: string }) =>
    mcpProcess(server, `failed: it ${detail}`),
  stuck_closing: ({ minutes }: Minutes) => stuck('The session has been closing', minutes),
  stuck_starting: ({ minutes }: Minutes) => stuck('The agent’s process has been starting', minutes),
  stuck_ending: ({ minutes }: Minutes) =>
    stuck('The agent’s process is gone, and what it left has been waiting to be settled', minutes),
  stuck_handing_over: ({ minutes }: Minutes) => stuck('A message has been on its way to the agent', minutes),
  stuck_beginning: ({ minutes }: Minutes) =>
    stuck('The agent has been at work without beginning the message that it was given', minutes),
  stuck_storing: ({ minutes }: Minutes) =>
    stuck('Something that happened has been waiting to be stored', minutes),
  stuck_preparing: ({ minutes }: Minutes) =>
    stuck('The next message has been waiting for its process', minutes),
  repaired_turn_in_idle_agent:
    'The agent was idle, but it never reported the end of its turn. Its process was started anew.',
  repaired_turn_without_process: 'A turn was recorded as running that no process worked on. It was ended.',
  repaired_queue_asleep: 'Messages waited though nothing held them. They run now.',
  repaired_state_without_work: 'The session was shown at work though nothing ran in it.',
  repaired_work_without_state: 'The session was shown at rest while its agent worked.',
}

function ranOtherwise(tool: string, how: string): string {
  return `${tool} ran ${how}, so the agent was stopped. Something answers or changes calls inside of Claude Code, such as a hook of the machine’s policy; the audit log has what ran.`
}

function mcpProcess(server: string, ended: string): string {
  return `This session’s own process of the MCP server ${server} ${ended}. What it kept is gone; the next call starts it anew.`
}

function stuck(what: string, minutes: number): string {
  return `${what} for ${minutes} minutes. If it stays so, end the session’s process and start it again.`
}
