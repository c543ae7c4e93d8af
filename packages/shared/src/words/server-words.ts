/** About the server itself: its files, its database, its configuration, its start. */
export const serverWords = {
  server_failed: ({ reference }: { reference: string }) =>
    `Something went wrong on the server. Its log has the details under ${reference}.`,
  port_taken: ({ port }: { port: number }) =>
    `Port ${port} is in use by another program. Stop that program, or choose another port with --port.`,
  port_forbidden: ({ port }: { port: number }) =>
    `Port ${port} needs privileges that this user doesn’t have. Choose one above 1023 with --port.`,
  port_unusable: ({ host, port, detail }: { host: string; port: number; detail: string }) =>
    `The server can’t listen on ${host}:${port}: ${detail}`,
  cli_unusable: ({ detail }: { detail: string }) => `The Claude Code CLI can’t be used: ${detail}`,
  sandbox_required: ({ why }: { why: string }) =>
    `The configuration requires a sandbox, but there is none: ${why}.`,
  page_folder_foreign: ({ folder, most }: { folder: string; most: number }) =>
    `${folder} contains more than ${most} files, so it isn’t DorkOS’s page.`,
  page_file_unreadable:
    'The server can no longer read this file of the page. If there was an update or a new build, restart the server.',
  sandbox_gone: 'bubblewrap is no longer installed.',
  sandbox_program_unusable: ({ program }: { program: string }) =>
    `${program} can’t be run, and without it root’s agents have no sandbox. Is its disk mounted with noexec?`,

  config_faults: ({ faults }: { faults: readonly string[] }) =>
    [
      faults.length === 1
        ? 'The configuration has an error:'
        : `The configuration has ${faults.length} errors:`,
      ...faults.map((fault) => `  ${fault}`),
    ].join('\n'),
  config_fault_at: ({ location, fault }: { location: string; fault: string }) => `${location}: ${fault}`,
  config_file_gone: ({ file }: { file: string }) => `${file} is gone. Its last values still apply.`,
  config_file_empty: ({ file }: { file: string }) => `${file} is empty. Its last values still apply.`,
  config_file_broken: ({ why }: { why: string }) => `Fix the configuration file first. ${why}`,
  config_file_unwritable: ({ detail }: { detail: string }) =>
    `Couldn’t write the configuration file: ${detail}.`,
  config_key_not_for_agents: ({ key, keys }: { key: string; keys: readonly string[] }) =>
    `Agents can’t change ${key}. They can change ${keys.join(', ')}.`,
  config_key_gone: ({ key }: { key: string }) => `${key} is no longer in the configuration.`,
  config_key_unknown: ({ key, inside }: { key: string; inside: string | undefined }) =>
    `there is no key ${key}${inside === undefined ? '' : `; name one inside it, such as ${inside}`}`,
  config_key_of_mcp: 'MCP servers are changed with `dorkos mcp` or at /api/mcp/servers',
  config_key_of_file: ({ key }: { key: string }) =>
    `${key} can only be changed in the configuration file itself`,
  config_key_of_environment: ({ key, variable }: { key: string; variable: string }) =>
    `the environment sets ${key}; change the variable ${variable} and restart`,
  config_key_of_flag: ({ key, flag }: { key: string; flag: string }) =>
    `the command line sets ${key}; change the flag ${flag} and restart`,

  folder_not_it: ({ folder, path, option }: Folder) =>
    `${path} can’t be the ${folders[folder]}. Set ${option} to a folder just for this.`,
  folder_of_another: ({ folder, path, option }: Folder) =>
    `The ${folders[folder]} ${path} belongs to another user. Set ${option} to a folder of your own.`,
  folder_unwritable: ({ folder, path }: Omit<Folder, 'option'>) =>
    `Can’t write to the ${folders[folder]} ${path}. Check its permissions and whether the disk is mounted read-only.`,
  folder_unmade: ({ folder, path, code }: Omit<Folder, 'option'> & { code: string }) =>
    `Can’t create the ${folders[folder]} ${path} (${code}). Check the permissions of the folder above it.`,
  folder_is_file: ({ folder, path, option }: Folder) =>
    `The ${folders[folder]} ${path} isn’t a folder. Remove it, or set ${option} to another one.`,
  folder_open_with_files: ({ folder, path, option }: Folder) =>
    `The ${folders[folder]} ${path} is open to other users and contains other files. Set ${option} to a folder just for this.`,
  folder_open: ({ folder, path }: Omit<Folder, 'option'>) =>
    `The ${folders[folder]} ${path} is open to other users, and its permissions can’t be changed. Run chmod 700 on it.`,
  folder_locked: ({ path, detail }: { path: string; detail: string }) =>
    `Can’t lock ${path} (${detail}). Check the permissions of its folder.`,
  folder_in_use: ({ path, pid }: { path: string; pid: number | undefined }) =>
    `${path} is in use by another server${pid === undefined ? '' : ` (process ${pid})`}. Stop it, or set DORKOS_HOME to another folder.`,

  database_unopened: ({ path, detail }: { path: string; detail: string }) =>
    `Can’t open ${path} for writing (${detail}). Check the permissions of the file and its folder.`,
  database_check_stopped: 'The database check was stopped.',
  database_foreign: ({ path }: { path: string }) =>
    `${path} is another program’s database. Move it away, or set DORKOS_HOME to another folder.`,
  database_newer: ({ path, version, newest }: { path: string; version: number; newest: number }) =>
    `${path} was written by a newer DorkOS (schema ${version}, and this one knows ${newest}). Start that version again, or restore the copy it made before it changed the file.`,
  database_copy_unwritable: ({ path, detail }: { path: string; detail: string }) =>
    `Can’t write ${path}: ${detail}`,
  database_thread_failed: ({ detail }: { detail: string }) =>
    `The database thread failed (${detail}). Restart the server.`,
  database_closed: 'The database is closed.',
  database_full: ({ path, detail }: { path: string; detail: string }) =>
    `Can’t write ${path} (${detail}). Nothing was saved. Free up space on its disk.`,
  database_locked: ({ path }: { path: string }) =>
    `${path} is locked by another process. Close that process and try again.`,
  database_damaged: ({ path, detail }: { path: string; detail: string }) =>
    `${path} is damaged (${detail}). Run \`dorkos doctor\`, then restore a backup or move the file away.`,
  database_failed: ({ detail }: { detail: string }) => `The database failed: ${detail}`,
  record_exists: ({ detail }: { detail: string }) => `There’s already such a record (${detail}).`,
  record_unstorable: 'The record can’t be stored as data.',
  approval_not_pending: ({ id }: { id: string }) => `The approval ${id} isn’t pending.`,
  approval_exists: ({ id }: { id: string }) => `There’s already an approval ${id}.`,
  turn_exists: ({ id, session }: { id: string; session: string }) =>
    `There’s already a turn ${id} in session ${session}.`,
  turn_not_in_session: ({ id, session }: { id: string; session: string }) =>
    `There’s no turn ${id} in session ${session}.`,
  turn_in_other_state: ({ id, state, states }: { id: string; state: string; states: readonly string[] }) =>
    `The turn ${id} is ${state}, not ${states.join(' or ')}.`,
  turn_being_replaced: ({ id }: { id: string }) => `The turn ${id} is being replaced.`,
  workspace_id_exists: ({ id }: { id: string }) => `There’s already a workspace ${id}.`,
  index_starting: 'The transcript index is starting. Try again in a moment.',
  index_unopened: ({ path, detail }: { path: string; detail: string | undefined }) =>
    `Can’t open the transcript index ${path} (${detail ?? 'its thread ended'}). Check the permissions of its folder.`,
  index_failed: ({ detail }: { detail: string }) => `The transcript index failed: ${detail}`,

  credentials_missing:
    'No credentials for the model were found. DorkOS looked for the variables CLAUDE_CODE_USE_BEDROCK, CLAUDE_CODE_USE_VERTEX, CLAUDE_CODE_USE_FOUNDRY, ANTHROPIC_AUTH_TOKEN and ANTHROPIC_API_KEY, for apiKeyHelper in ~/.claude/settings.json, and for a login of the Claude Code CLI. Set one of them, or set `model` to `auto` or `demo` to try DorkOS with its demo model.',
  credentials_address_invalid: 'ANTHROPIC_BASE_URL isn’t a web address. Correct or remove it.',
  credentials_key_invalid: ({ name }: { name: string }) =>
    `${name} contains characters that can’t be in a key. Copy it again.`,
  key_helper_silent: ({ seconds }: { seconds: number }) => keyHelper(`didn’t answer within ${seconds} s`),
  key_helper_talks: keyHelper('printed far more than a key'),
  key_helper_not_started: keyHelper('couldn’t be started'),
  key_helper_killed: ({ signal }: { signal: string }) => keyHelper(`was killed (${signal})`),
  key_helper_failed: ({ code }: { code: number }) => keyHelper(`exited with ${code}`),
  key_helper_without_key: keyHelper('didn’t print a key'),
}

export interface Folder {
  folder: 'state' | 'shared'
  path: string
  /** Where it is named. */
  option: string
}

const folders = { state: 'state folder', shared: 'shared folder' }

function keyHelper(did: string): string {
  return `The apiKeyHelper in ~/.claude/settings.json ${did}. Run it in a terminal to see why.`
}
