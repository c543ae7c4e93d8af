/** About workspaces, their paths, their trust and their containers. */
export const workspaceWords = {
  workspace_not_found: ({ id }: { id: string }) => `There is no workspace ${id}.`,
  workspace_exists: ({ path, name }: { path: string; name: string }) =>
    `${path} is already the workspace “${name}”.`,
  workspace_is_main: 'This is the main workspace: make another one the main one first.',
  workspace_main_missing: 'There is no main workspace: add a workspace and make it the main one.',
  workspace_main_needed: 'One workspace must be the main one; make another the main one instead.',
  workspace_moved: ({ name, path }: { name: string; path: string }) =>
    `The workspace “${name}” now leads to ${path}, which is another directory than was added; add that one instead.`,
  workspace_excludes: ({ directory, name, path }: { directory: string; name: string; path: string }) =>
    `${directory} is not inside the workspace “${name}” (${path}).`,

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
    `${folder} belongs to the user ${uid}, and agents of a server that is root cannot be that user here (${why}): commands fail there in the sandbox, or write only what is open to all, and what file tools make is root’s. Run DorkOS as ${uid}:${gid}, or make the folder root’s: chown -R 0:0 '${folder.replaceAll("'", `'\\''`)}'`,
  workspace_owner_tools_missing: 'setpriv and unshare are not installed',
  workspace_owner_folder_closed: 'it cannot reach or write the folder',

  path_with_nul: 'A path cannot contain a NUL character.',
  path_not_absolute: ({ path }: { path: string }) => `${path} is not an absolute path.`,
  path_in_state_folder: ({ path }: { path: string }) =>
    `${path} is inside the state folder of DorkOS, which agents must not reach.`,
  path_in_cli_folder: ({ path }: { path: string }) =>
    `${path} is inside the Claude Code CLI’s own folder, which is not for agents to work in.`,
  path_missing: ({ path }: { path: string }) => `${path} does not exist; make the directory first.`,
  path_not_directory: ({ path }: { path: string }) => `${path} is not a directory.`,
  path_outside_roots: ({ path, roots }: { path: string; roots: string }) =>
    `${path} is outside ${roots}; add a directory above it to \`roots\` in the configuration.`,
  path_unfollowable: ({ path, code }: { path: string; code: string }) =>
    `${path} cannot be followed (${code}).`,

  trust_changed: 'What is in the workspace now is not what was shown; look at it again.',
  trust_impossible: ({ path, why }: { path: string; why: string }) =>
    `The workspace cannot be trusted as it is. ${path}: ${why}`,
  trust_unseen:
    'There is something in this workspace that would count once it is trusted. Look at it first (GET /api/workspaces/:id/trust), then trust what you saw by its digest.',
  trust_key_unmade: ({ file }: { file: string }) => `${file} could not be made.`,
  trust_key_unreadable: ({ file }: { file: string }) => `${file} cannot be read.`,
  trust_key_invalid: ({ file }: { file: string }) =>
    `${file} is not a key. Remove it; a new one is made, and every workspace has to be trusted again.`,

  containers_unavailable: 'There are no containers here.',
  containers_impossible: ({ why }: { why: string }) => `There can be no containers here: ${why}.`,
  container_of_workspace_impossible: ({ name, why }: { name: string; why: string }) =>
    `The workspace “${name}” runs in a container, and there can be none here: ${why}.`,
  container_without_gateway: ({ name }: { name: string }) =>
    `The workspace “${name}” runs in a container, where no key and no login goes, but the CLI would need yours there to reach the model by itself. Set ANTHROPIC_API_KEY, which stays with DorkOS, or work in a workspace of mode host.`,
  container_holds_closed: ({ path, held }: { path: string; held: string }) =>
    `A container around ${path} would hold ${held}, which it is to keep out; choose a directory below.`,
  container_holds_own: ({ path }: { path: string }) =>
    `${path} is a place that every container has for itself.`,
  container_holds_workspace: ({ name, other, path }: { name: string; other: string; path: string }) =>
    `The workspace “${other}” (${path}) lies in “${name}”, which runs in a container and would hold it; remove one of them.`,
  container_would_hold: ({ name, path, around }: { name: string; path: string; around: string }) =>
    `The workspace “${name}” (${path}) lies in ${around}; a container would hold it.`,
  container_around: ({ path, name }: { path: string; name: string }) =>
    `${path} lies in the workspace “${name}”, which runs in a container.`,
  container_needs_binary: ({ program }: { program: string }) =>
    `The CLI is a script (${program}); a container runs only its binary. Remove \`cliPath\` from the configuration.`,
}
