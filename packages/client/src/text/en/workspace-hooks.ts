/** The hooks that run for sessions of a workspace. */
export const workspaceHooks = {
  title: (n: number) => (n === 0 ? 'Hooks' : `Hooks (${n})`),
  /** In the details of a session. */
  short: 'Hooks',
  link: 'what runs by itself here',
  from: {
    process: 'As a session that runs here lists them.',
    files:
      'No session runs here now, so this is what the files say. A session that runs lists them for certain.',
  },
  none: 'Nothing runs here by itself, but for DorkOS’s own check.',
  where:
    'A hook is something that Claude Code runs by itself when something happens. They come from “hooks” in the settings that count here, from plugins and from a policy of the machine.',
  sources: {
    user: 'your settings',
    project: 'the workspace',
    local: 'your local settings',
    plugin: 'plugin',
    policy: 'policy of the machine',
    session: 'in use in a session',
    dorkos: 'DorkOS',
    other: 'another source',
  },
  plugin: (name: string) => `plugin ${name}`,
  kinds: {
    command: 'Command',
    prompt: 'Question to a model',
    agent: 'Task for an agent',
    http: 'Request to an address',
    mcp_tool: 'Tool of an MCP server',
    callback: 'Code',
  },
  own: 'Every call of a tool passes it first: rules, questions to a person, the audit log. Nothing turns it off.',
  always: 'always',
  only: 'only for',
  condition: 'if',
  timeout: (seconds: number) => `stopped after ${seconds} s`,
  background: 'in the background',
  once: 'once a session',
  disabled: 'does not run',
  cut: 'It goes on; look at the whole in its file.',
  more: 'There are more hooks than are listed here; look at the files.',
  unlisted: (n: number) =>
    n === 1
      ? 'The policy has one hook that is not listed.'
      : `The policy has ${n} hooks that are not listed.`,
  off: {
    policy: 'A policy of this machine turns all hooks off.',
    managed_only: 'A policy of this machine lets only its own hooks run.',
    plugin_only: 'A policy of this machine lets only hooks of its own and of plugins run.',
    settings:
      'Hooks are turned off: “disableAllHooks” stands in settings that count here. Take it out to have them back.',
  },
  faults: 'Settings that cannot be used, with the hooks in them',
}
