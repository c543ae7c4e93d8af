/** About MCP servers, their tools and sign-ins. */
const has = (tools: readonly string[]) =>
  tools.length === 0 ? 'It has no tools.' : `It has ${tools.join(', ')}.`

const inFile = (file: string | undefined) => (file === undefined ? '' : ` in ${file}`)

export type Origin = 'dorkos' | 'local' | 'project' | 'user' | 'settings' | 'plugin'

const origins: Readonly<Record<Origin, string>> = {
  dorkos: 'DorkOS’s configuration',
  local: '~/.claude.json (for one project)',
  project: 'a project',
  user: '~/.claude.json',
  settings: 'Claude Code’s settings.json',
  plugin: 'plugins',
}

export const mcpWords = {
  unused_name_of_dorkos: 'The name dorkos is reserved for DorkOS’s own tools.',
  unused_name_of_modules: ({ name }: { name: string }) =>
    `The name ${name} is reserved for your own tool modules. Rename this server.`,
  unused_in_mode: ({ modes, mode }: { modes: readonly string[]; mode: string }) =>
    `It’s configured for workspaces in mode ${modes.join(' and ')}, and this one is in mode ${mode}.`,
  unused_in_container:
    'A workspace in mode container only gets servers configured for that mode, and those in its own .mcp.json.',
  unused_plugin: 'No one has allowed its plugin to load. Review the plugin on the workspace’s page.',
  unused_untrusted: 'The workspace isn’t trusted.',
  unused_outside_main: ({ scope }: { scope: Origin }) =>
    `Only the main workspace gets servers from ${origins[scope]}.`,
  unused_denied: ({ file }: { file: string | undefined }) => `deniedMcpServers${inFile(file)} denies it.`,
  unused_not_allowed: ({ file }: { file: string | undefined }) =>
    `allowedMcpServers${inFile(file)} doesn’t allow it.`,
  unused_disabled_in_settings: 'disabledMcpjsonServers in Claude Code’s settings lists it.',
  unused_not_enabled:
    'enabledMcpjsonServers in Claude Code’s settings lists the project’s servers that can run, and this one isn’t listed.',
  unused_switched_off: 'It’s turned off.',
  unused_by_profile: ({ profile }: { profile: string }) => `The profile “${profile}” doesn’t name it.`,
  unused_disabled: 'It’s disabled in DorkOS’s configuration.',
  unused_disabled_in_cli: 'It was disabled in Claude Code, with /mcp or in its settings.',
  unused_unusable: ({ why }: { why: string }) => why,
  unused_overridden: ({ file, line }: { file: string; line: number }) =>
    `A server with the same name at ${file}:${line} takes precedence.`,

  mcp_server_not_found: ({ name }: { name: string }) => `There’s no MCP server ${name} here.`,
  mcp_server_unused: ({ name, why }: { name: string; why: string }) => `${name} isn’t used here. ${why}`,
  mcp_server_left_to_cli: ({ name }: { name: string }) => `Claude Code runs ${name}, not DorkOS.`,
  mcp_server_own: ({ name }: { name: string }) =>
    `${name} runs DorkOS’s own tools, and all sessions share it.`,
  mcp_server_exists: ({ name }: { name: string }) => `The configuration already has a server named ${name}.`,
  mcp_server_not_configured: ({ name }: { name: string }) =>
    `DorkOS’s configuration has no server named ${name}. Change servers from other files in those files.`,
  mcp_server_disconnected: ({ name, why }: { name: string; why: string | undefined }) =>
    why === undefined ? `${name} isn’t connected.` : `${name} isn’t connected: ${why}`,
  mcp_workspace_missing: 'There’s no workspace to set this for. Add one first.',
  mcp_entry_changed: ({ name }: { name: string }) =>
    `${name} has changed since it was shown. Review it again.`,
  mcp_entry_unnamed: 'This entry has no name. Give it one.',
  mcp_entry_masked: 'The entry contains a masked value (•••). Enter the value itself.',
  mcp_entry_faults: ({ faults }: { faults: readonly string[] }) => faults.join(' '),
  mcp_entry_missing: 'No matching MCP server was found.',
  mcp_name_refused: ({ why }: { why: string }) => why,
  mcp_file_unknown: 'No program that DorkOS knows keeps its MCP servers in this file.',

  mcp_tool_not_found: ({ server, tool, tools }: { server: string; tool: string; tools: readonly string[] }) =>
    `${server} has no tool ${tool}. ${has(tools)}`,
  mcp_tool_gone: ({ tool }: { tool: string }) => `The server no longer has the tool ${tool}.`,
  mcp_tool_changed: ({ tool }: { tool: string }) =>
    `The tool ${tool} has changed since it was shown. Review it again.`,
  mcp_tool_off: ({ tool }: { tool: string }) => `${tool} is turned off here. Turn it on first.`,
  mcp_tool_held_back: ({ tool }: { tool: string }) =>
    `${tool} is new or has changed. Review and accept it first.`,

  sign_in_gone: 'This sign-in already finished, has expired, or someone else started it. Start again.',
  sign_in_other_server: ({ name }: { name: string }) =>
    `${name} is no longer the server you signed in to. Start again.`,
  sign_in_impossible: ({ name }: { name: string }) =>
    `You can’t sign in to ${name}. That takes a server with an https address and no Authorization header in its entry.`,
  sign_in_none: ({ name }: { name: string }) => `No one is signed in to ${name}.`,
  sign_in_words: ({ text }: { text: string }) => text,
  sign_in_issuer_missing:
    'client_id needs issuer, the server that the client is registered with. Start the sign-in without client_id to find out which one.',
  sign_in_redirect_refused: ({ page, program }: { page: string; program: string }) =>
    `redirect_uri must be ${page} on one of this server’s own origins (see publicOrigins), or http://127.0.0.1:<port>${program}.`,
  sign_out_incomplete: ({ name }: { name: string }) =>
    `The tokens for ${name} were revoked where possible and are no longer used, but couldn’t be deleted. Free up disk space, then sign out again.`,
}
