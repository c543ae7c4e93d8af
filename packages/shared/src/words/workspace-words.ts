/** About workspaces, their paths, their trust and their containers. */
export const workspaceWords = {
  workspace_not_found: ({ id }: { id: string }) => `There’s no workspace ${id}.`,
  workspace_exists: ({ path, name }: { path: string; name: string }) =>
    `${path} is already the workspace “${name}”.`,
  workspace_is_main: 'This is the main workspace. Make another workspace the main one first.',
  workspace_main_missing: 'There’s no main workspace. Add a workspace and make it the main one.',
  workspace_main_needed: 'One workspace must be the main one. Make another the main one instead.',
  workspace_moved: ({ name, path }: { name: string; path: string }) =>
    `The workspace “${name}” now leads to ${path}, which isn’t the directory you added. Add that one instead.`,
  workspace_excludes: ({ directory, name, path }: { directory: string; name: string; path: string }) =>
    `${directory} isn’t inside the workspace “${name}” (${path}).`,

  workspace_owner_unreachable: ({
    folder,
    uid,
    gid,
    why,
  }: {
    folder: string
    uid: number
    gid: number
    why: string
  }) =>
    `${folder} belongs to user ${uid}, and this server runs as root but can’t run agents as that user (${why}). Commands in the sandbox will fail there, or write only where everyone can, and root will own what file tools create. Run DorkOS as ${uid}:${gid}, or give root the folder: chown -R 0:0 '${folder.replaceAll("'", `'\\''`)}'`,
  workspace_owner_tools_missing: 'setpriv and unshare aren’t installed',
  workspace_owner_folder_closed: 'it can’t reach the folder or write to it',

  path_with_nul: 'A path can’t contain a NUL character.',
  path_not_absolute: ({ path }: { path: string }) => `${path} isn’t an absolute path.`,
  path_in_state_folder: ({ path }: { path: string }) =>
    `${path} is inside DorkOS’s state folder, which agents must not reach.`,
  path_in_cli_folder: ({ path }: { path: string }) =>
    `${path} is inside the Claude Code CLI’s own folder, where agents can’t work.`,
  path_missing: ({ path }: { path: string }) => `${path} doesn’t exist. Create the directory first.`,
  path_not_directory: ({ path }: { path: string }) => `${path} isn’t a directory.`,
  path_outside_roots: ({ path, roots }: { path: string; roots: string }) =>
    `${path} is outside ${roots}. Add a directory above it to \`roots\` in the configuration.`,
  path_unfollowable: ({ path, code }: { path: string; code: string }) =>
    `${path} can’t be resolved (${code}).`,

  trust_changed: 'The workspace has changed since it was shown. Review it again.',
  trust_impossible: ({ path, why }: { path: string; why: string }) =>
    `The workspace can’t be trusted as it is. ${path}: ${why}`,
  trust_unseen:
    'Trusting this workspace would load what’s in it. Review that first (GET /api/workspaces/:id/trust), then trust what you saw by its digest.',
  trust_key_unmade: ({ file }: { file: string }) => `Can’t create ${file}.`,
  trust_key_unreadable: ({ file }: { file: string }) => `Can’t read ${file}.`,
  trust_key_invalid: ({ file }: { file: string }) =>
    `${file} isn’t a key. Remove it. DorkOS then creates a new one, and every workspace has to be trusted again.`,

  containers_unavailable: 'Containers aren’t available here.',
  containers_impossible: ({ why }: { why: string }) => `Containers aren’t available here: ${why}.`,
  container_of_workspace_impossible: ({ name, why }: { name: string; why: string }) =>
    `The workspace “${name}” runs in a container, and containers aren’t available here: ${why}.`,
  container_without_gateway: ({ name }: { name: string }) =>
    `The workspace “${name}” runs in a container, which never gets a key or a login. Without one, the CLI there can’t reach the model directly. Set ANTHROPIC_API_KEY, which stays with DorkOS, or use a workspace in mode host.`,
  container_holds_closed: ({ path, held }: { path: string; held: string }) =>
    `A container around ${path} would contain ${held}, which must stay outside it. Choose a directory further down.`,
  container_holds_own: ({ path }: { path: string }) =>
    `Every container has a ${path} of its own. Choose another directory.`,
  container_holds_workspace: ({ name, other, path }: { name: string; other: string; path: string }) =>
    `The workspace “${other}” (${path}) is inside “${name}”, which runs in a container and would contain it. Remove one of them.`,
  container_would_hold: ({ name, path, around }: { name: string; path: string; around: string }) =>
    `The workspace “${name}” (${path}) is inside ${around}, so a container there would contain it.`,
  container_around: ({ path, name }: { path: string; name: string }) =>
    `${path} is inside the workspace “${name}”, which runs in a container.`,
  container_needs_binary: ({ program }: { program: string }) =>
    `The CLI is a script (${program}), and a container can only run its binary. Remove \`cliPath\` from the configuration.`,
}
