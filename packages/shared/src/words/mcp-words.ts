/** About MCP servers, their tools and sign-ins. */
const has = (tools: readonly string[]) => (tools.length === 0 ? 'it has none' : `it has ${tools.join(', ')}`)

const inFile = (file: string | undefined) => (file === undefined ? '' : ` in ${file}`)

export type Origin = 'dorkos' | 'local' | 'project' | 'user' | 'settings' | 'plugin'

const origins: Readonly<Record<Origin, string>> = {
  dorkos: 'the configuration of DorkOS',
  local: '~/.claude.json for one project',
  project: 'a project',
  user: '~/.claude.json',
  settings: 'Claude Code’s settings.json',
  plugin: 'plugins',
}

export const mcpWords = {
  unused_name_of_dorkos: 'The name dorkos is kept for the tools of DorkOS itself.',
  unused_name_of_modules: ({ name }: { name: string }) =>
    `The name ${name} is kept for tool modules, which people take for their own; rename this server.`,
  unused_in_mode: ({ modes, mode }: { modes: readonly string[]; mode: string }) =>
    `It is configured for workspaces of mode ${modes.join(' and ')}; this one has mode ${mode}.`,
  unused_in_container:
    'A workspace of mode container gets servers that are configured for it, and those of its own .mcp.json.',
  unused_plugin: 'Nobody has allowed its plugin to load; look at it on the page of the workspace.',
  unused_untrusted: 'The workspace is not trusted.',
  unused_outside_main: ({ scope }: { scope: Origin }) =>
    `Only the main workspace gets servers of ${origins[scope]}.`,
  unused_denied: ({ file }: { file: string | undefined }) => `deniedMcpServers${inFile(file)} denies it.`,
  unused_not_allowed: ({ file }: { file: string | undefined }) =>
    `allowedMcpServers${inFile(file)} does not allow it.`,
  unused_disabled_in_settings: 'disabledMcpjsonServers in the settings of Claude Code names it.',
  unused_not_enabled:
    'enabledMcpjsonServers in the settings of Claude Code lists the project’s servers that may run, and it is not among them.',
  unused_switched_off: 'It is switched off.',
  unused_by_profile: ({ profile }: { profile: string }) => `The profile “${profile}” doesn’t name it.`,
  unused_disabled: 'It is disabled in the configuration of DorkOS.',
  unused_disabled_in_cli: 'It was disabled in Claude Code with /mcp (or its settings).',
  unused_unusable: ({ why }: { why: string }) => why,
  unused_overridden: ({ file, line }: { file: string; line: number }) =>
    `${file}:${line} has a server of this name, and goes before it.`,

  mcp_server_not_found: ({ name }: { name: string }) => `There is no MCP server ${name} here.`,
  mcp_server_unused: ({ name, why }: { name: string; why: string }) => `${name} is not used here: ${why}`,
  mcp_server_left_to_cli: ({ name }: { name: string }) =>
    `${name} is left to the CLI; DorkOS does not run it.`,
  mcp_server_own: ({ name }: { name: string }) => `${name} runs DorkOS’s own tools, which all share.`,
  mcp_server_exists: ({ name }: { name: string }) => `The configuration already has a server ${name}.`,
  mcp_server_not_configured: ({ name }: { name: string }) =>
    `DorkOS’s configuration has no server ${name}. Servers of other files are changed there.`,
  mcp_server_disconnected: ({ name, why }: { name: string; why: string | undefined }) =>
    why === undefined ? `${name} is not connected.` : `${name} is not connected: ${why}`,
  mcp_workspace_missing: 'There is no workspace to choose it for. Add one first.',
  mcp_entry_changed: ({ name }: { name: string }) =>
    `${name} is not what was shown any more; look at it again.`,
  mcp_entry_unnamed: 'This entry has no name: give one with it.',
  mcp_entry_masked: 'A masked value (•••) stands in the entry: write the value itself.',
  mcp_entry_faults: ({ faults }: { faults: readonly string[] }) => faults.join(' '),
  mcp_entry_missing: 'There is no such MCP server in this.',
  mcp_name_refused: ({ why }: { why: string }) => why,
  mcp_file_unknown: 'No program keeps its MCP servers in this file.',

  mcp_tool_not_found: ({ server, tool, tools }: { server: string; tool: string; tools: readonly string[] }) =>
    `${server} has no tool ${tool}; ${has(tools)}.`,
  mcp_tool_gone: ({ tool }: { tool: string }) => `The server has no tool ${tool} now.`,
  mcp_tool_changed: ({ tool }: { tool: string }) =>
    `The tool ${tool} is not what was looked at any more; look at it again.`,
  mcp_tool_off: ({ tool }: { tool: string }) => `${tool} is switched off here. Switch it on first.`,
  mcp_tool_held_back: ({ tool }: { tool: string }) =>
    `${tool} is new or has changed, and is held back. Look at it, and accept it first.`,

  sign_in_gone: 'This sign-in was finished before, has expired or was not begun by you. Begin again.',
  sign_in_other_server: ({ name }: { name: string }) =>
    `${name} is not the server that was signed in to. Begin again.`,
  sign_in_impossible: ({ name }: { name: string }) =>
    `Nobody can sign in to ${name}: that takes a server behind https whose entry has no Authorization header.`,
  sign_in_none: ({ name }: { name: string }) => `Nobody is signed in to ${name}.`,
  sign_in_words: ({ text }: { text: string }) => text,
  sign_in_issuer_missing:
    'client_id needs issuer: whom the program was registered with, as the answer to a begin without it says.',
  sign_in_redirect_refused: ({ page, program }: { page: string; program: string }) =>
    `redirect_uri must be ${page} under one of this server’s own names (see publicOrigins), or http://127.0.0.1:<port>${program}.`,
  sign_out_incomplete: ({ name }: { name: string }) =>
    `The tokens of ${name} are revoked where that is possible and not used any more, but could not be deleted. Make room on the disk, then sign out again.`,
}
