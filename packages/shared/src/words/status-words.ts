/** How the server is: what agents' commands run in, and what needs attention. */
const listed = (tools: readonly string[]) => tools.join(' and ')

export const statusWords = {
  sandbox_switched_off: 'the configuration switches it off',
  sandbox_not_for_platform: ({ platform }: { platform: string }) => `there is no sandbox for ${platform}`,
  sandbox_tools_missing: ({ tools }: { tools: readonly string[] }) =>
    `${listed(tools)} not installed; on Debian: apt-get install ${tools.join(' ')}`,
  namespaces_refused: ({ detail }: { detail: string }) => namespaces(detail),
  namespaces_refused_by_apparmor: ({ detail }: { detail: string }) =>
    `${namespaces(detail)}; AppArmor forbids them to users, as on Ubuntu: allow them to bubblewrap with a profile (docs/operations.md has it)`,
  namespaces_refused_to_users: ({ detail }: { detail: string }) =>
    `${namespaces(detail)}; the system forbids them to users: as root, sysctl kernel.unprivileged_userns_clone=1`,
  namespaces_refused_to_all: ({ detail }: { detail: string }) =>
    `${namespaces(detail)}; the system allows none: as root, sysctl user.max_user_namespaces=10000`,
  containers_not_for_platform: ({ platform }: { platform: string }) =>
    `containers need Linux, and this is ${platform}`,
  containers_path_too_long: ({ folder }: { folder: string }) =>
    `the path of the state folder ${folder} is too long for a socket`,
  containers_without_gateway: 'the CLI reaches the model by itself, with what no container may hold',

  banner_storage: ({ why }: { why: string }) => `The disk does not take writes: ${why}`,
  banner_no_sandbox: ({ why }: { why: string | undefined }) =>
    `Agents’ commands run without a sandbox${why === undefined ? '' : ` (${why})`}. A command that you allow can read every file of your user, DorkOS’s own state included, reach this server, and end it. Read a command before you allow it.`,
  banner_insecure: 'This server is reachable from the network without TLS: tokens cross it in the clear.',
  banner_root_sandboxed: asRoot(
    'Commands in the sandbox are another user without rights, but can read every file of root’s.',
  ),
  banner_root: asRoot('A command that you allow can do everything on this machine.'),
  banner_configuration: ({ why }: { why: string }) => `The configuration file was not taken: ${why}`,
  banner_demo:
    'No credentials were found: a small demo model answers, not Claude. Set ANTHROPIC_API_KEY, or log in with the CLI, and restart.',
}

function namespaces(detail: string): string {
  return `bubblewrap cannot make namespaces here (${detail})`
}

function asRoot(commands: string): string {
  return `DorkOS runs as root, and so do its agents’ file tools, their hooks and MCP servers. ${commands} Make a user for DorkOS and run it as that one; docs/operations.md says how.`
}
