/** How the server is: what agents' commands run in, and what needs attention. */
const listed = (tools: readonly string[]) => tools.join(' and ')

export const statusWords = {
  sandbox_switched_off: 'the configuration turns it off',
  sandbox_not_for_platform: ({ platform }: { platform: string }) => `there’s no sandbox for ${platform}`,
  sandbox_tools_missing: ({ tools }: { tools: readonly string[] }) =>
    `${listed(tools)} not installed; on Debian, run apt-get install ${tools.join(' ')}`,
  namespaces_refused: ({ detail }: { detail: string }) => namespaces(detail),
  namespaces_refused_by_apparmor: ({ detail }: { detail: string }) =>
    `${namespaces(detail)} because AppArmor denies them to users, as on Ubuntu; allow them for bubblewrap with a profile (docs/operations.md has one)`,
  namespaces_refused_to_users: ({ detail }: { detail: string }) =>
    `${namespaces(detail)} because the system denies them to users; as root, run sysctl kernel.unprivileged_userns_clone=1`,
  namespaces_refused_to_all: ({ detail }: { detail: string }) =>
    `${namespaces(detail)} because the system allows none; as root, run sysctl user.max_user_namespaces=10000`,
  containers_not_for_platform: ({ platform }: { platform: string }) =>
    `containers need Linux, and this is ${platform}`,
  containers_path_too_long: ({ folder }: { folder: string }) =>
    `the path of the state folder ${folder} is too long for a socket`,
  containers_without_gateway:
    'the CLI reaches the model directly, with credentials that no container may have',

  banner_storage: ({ why }: { why: string }) => `Saving to disk fails. ${why}`,
  banner_no_sandbox: ({ why }: { why: string | undefined }) =>
    `Agents’ commands run without a sandbox${why === undefined ? '' : ` (${why})`}. A command you allow can read all your user’s files, including DorkOS’s own state, reach this server, and stop it. Read a command before you allow it.`,
  banner_insecure: 'This server can be reached from the network without TLS, so tokens are sent unencrypted.',
  banner_root_sandboxed: asRoot(
    'Sandboxed commands run as another user without privileges, but can read all of root’s files.',
  ),
  banner_root: asRoot('A command you allow can do anything on this machine.'),
  banner_configuration: ({ why }: { why: string }) => `The configuration file wasn’t loaded. ${why}`,
  banner_demo:
    'No credentials were found, so a small demo model answers instead of Claude. Set ANTHROPIC_API_KEY or log in with the CLI, then restart.',
}

function namespaces(detail: string): string {
  return `bubblewrap can’t create namespaces here (${detail})`
}

function asRoot(commands: string): string {
  return `DorkOS runs as root, and so do its agents’ file tools, hooks and MCP servers. ${commands} Create a user for DorkOS and run it as that user; docs/operations.md says how.`
}
