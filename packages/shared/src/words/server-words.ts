/** About the server itself: its files, its database, its configuration, its start. */
export const serverWords = {
  server_failed: ({ reference }: { reference: string }) =>
    `Something went wrong in the server; its log has it under ${reference}.`,
  port_taken: ({ port }: { port: number }) =>
    `Port ${port} is taken by another program; end it, or choose another with --port.`,
  port_forbidden: ({ port }: { port: number }) =>
    `Port ${port} needs rights that this user does not have; choose one above 1023 with --port.`,
  port_unusable: ({ host, port, detail }: { host: string; port: number; detail: string }) =>
    `The server cannot listen on ${host}:${port}: ${detail}`,
  cli_unusable: ({ detail }: { detail: string }) => `The Claude Code CLI cannot be used: ${detail}`,
  sandbox_required: ({ why }: { why: string }) =>
    `The configuration requires a sandbox, but there is none: ${why}.`,
  page_folder_foreign: ({ folder, most }: { folder: string; most: number }) =>
    `${folder} holds more than ${most} files; that is no page of ours.`,
  page_file_unreadable:
    'This file of the page cannot be read any more. After a new build or an update, restart the server.',
  sandbox_gone: 'bubblewrap is not installed any more.',
  sandbox_program_unusable: ({ program }: { program: string }) =>
    `${program} cannot be run, and without it agents of root have no sandbox; is its disk mounted with noexec?`,

  config_faults: ({ faults }: { faults: readonly string[] }) =>
    [
      faults.length === 1
        ? 'The configuration has a fault:'
        : `The configuration has ${faults.length} faults:`,
      ...faults.map((fault) => `  ${fault}`),
    ].join('\n'),
  config_fault_at: ({ location, fault }: { location: string; fault: string }) => `${location}: ${fault}`,
  config_file_gone: ({ file }: { file: string }) => `${file} is gone; its last values stay in use`,
  config_file_empty: ({ file }: { file: string }) => `${file} is empty; its last values stay in use`,
  config_file_broken: ({ why }: { why: string }) => `Mend the configuration file first. ${why}`,
  config_file_unwritable: ({ detail }: { detail: string }) =>
    `The configuration file could not be written: ${detail}.`,
  config_key_not_for_agents: ({ key, keys }: { key: string; keys: readonly string[] }) =>
    `${key} cannot be changed by an agent; these can: ${keys.join(', ')}.`,
  config_key_gone: ({ key }: { key: string }) => `${key} is gone from the configuration.`,
  config_key_unknown: ({ key, inside }: { key: string; inside: string | undefined }) =>
    `there is no key ${key}${inside === undefined ? '' : `; name one inside it, such as ${inside}`}`,
  config_key_of_mcp: 'MCP servers are changed with `dorkos mcp` or at /api/mcp/servers',
  config_key_of_file: ({ key }: { key: string }) =>
    `${key} can only be changed in the configuration file itself`,
  config_key_of_environment: ({ key, variable }: { key: string; variable: string }) =>
    `the environment decides ${key}: change the variable ${variable} and restart`,
  config_key_of_flag: ({ key, flag }: { key: string; flag: string }) =>
    `the command line decides ${key}: change the flag ${flag} and restart`,

  folder_not_it: ({ folder, path, option }: Folder) =>
    `The ${folders[folder]} ${path} cannot be it; name a folder of its own in ${option}.`,
  folder_of_another: ({ folder, path, option }: Folder) =>
    `The ${folders[folder]} ${path} belongs to another user; name a folder of your own in ${option}.`,
  folder_unwritable: ({ folder, path }: Omit<Folder, 'option'>) =>
    `The ${folders[folder]} ${path} cannot be written; check its rights and whether the disk is mounted read-only.`,
  folder_unmade: ({ folder, path, code }: Omit<Folder, 'option'> & { code: string }) =>
    `The ${folders[folder]} ${path} cannot be made (${code}); check the rights of the folder above it.`,
  folder_is_file: ({ folder, path, option }: Folder) =>
    `The ${folders[folder]} ${path} is not a folder; remove it, or name another in ${option}.`,
  folder_open_with_files: ({ folder, path, option }: Folder) =>
    `The ${folders[folder]} ${path} is open to other users and holds other files; name a folder of its own in ${option}.`,
  folder_open: ({ folder, path }: Omit<Folder, 'option'>) =>
    `The ${folders[folder]} ${path} is open to other users and its rights cannot be changed; run chmod 700 on it.`,
  folder_locked: ({ path, detail }: { path: string; detail: string }) =>
    `${path} cannot be locked (${detail}); check the rights of its folder.`,
  folder_in_use: ({ path, pid }: { path: string; pid: number | undefined }) =>
    `${path} is in use by another server${pid === undefined ? '' : ` (process ${pid})`}; stop it, or set DORKOS_HOME to another folder.`,

  database_unopened: ({ path, detail }: { path: string; detail: string }) =>
    `${path} cannot be opened for writing (${detail}); check the rights of the file and its folder.`,
  database_check_stopped: 'The check of the database was stopped.',
  database_foreign: ({ path }: { path: string }) =>
    `${path} is a database of another program; move it away, or set DORKOS_HOME to another folder.`,
  database_newer: ({ path, version, newest }: { path: string; version: number; newest: number }) =>
    `${path} was written by a newer DorkOS (schema ${version}, this one knows ${newest}); start that version again, or restore the copy that it made before it changed the file.`,
  database_copy_unwritable: ({ path, detail }: { path: string; detail: string }) =>
    `${path} cannot be written: ${detail}`,
  database_thread_failed: ({ detail }: { detail: string }) =>
    `The database thread failed (${detail}); restart the server.`,
  database_closed: 'The database is closed.',
  database_full: ({ path, detail }: { path: string; detail: string }) =>
    `${path} cannot be written (${detail}); free some space on its disk, nothing was accepted.`,
  database_locked: ({ path }: { path: string }) =>
    `${path} is locked by another process; close it and try again.`,
  database_damaged: ({ path, detail }: { path: string; detail: string }) =>
    `${path} is damaged (${detail}); run \`dorkos doctor\`, then restore a backup or move the file away.`,
  database_failed: ({ detail }: { detail: string }) => `The database failed: ${detail}`,
  record_exists: ({ detail }: { detail: string }) => `There is such a record already (${detail}).`,
  record_unstorable: 'The record cannot be stored as data.',
  approval_not_pending: ({ id }: { id: string }) => `The approval ${id} is not pending.`,
  approval_exists: ({ id }: { id: string }) => `There is an approval ${id} already.`,
  turn_exists: ({ id, session }: { id: string; session: string }) =>
    `There is a turn ${id} in session ${session} already.`,
  turn_not_in_session: ({ id, session }: { id: string; session: string }) =>
    `There is no turn ${id} in session ${session}.`,
  turn_in_other_state: ({ id, state, states }: { id: string; state: string; states: readonly string[] }) =>
    `The turn ${id} is ${state}, not ${states.join(' or ')}.`,
  turn_being_replaced: ({ id }: { id: string }) => `The turn ${id} is being replaced.`,
  workspace_id_exists: ({ id }: { id: string }) => `There is a workspace ${id} already.`,
  index_starting: 'The index of the transcripts is being started; try again in a moment.',
  index_unopened: ({ path, detail }: { path: string; detail: string | undefined }) =>
    `The index of the transcripts ${path} cannot be opened (${detail ?? 'its thread ended'}); check the rights of its folder.`,
  index_failed: ({ detail }: { detail: string }) => `The index of the transcripts failed: ${detail}`,

  credentials_missing:
    'No credentials for the model were found. Looked for: CLAUDE_CODE_USE_BEDROCK, CLAUDE_CODE_USE_VERTEX and CLAUDE_CODE_USE_FOUNDRY; ANTHROPIC_AUTH_TOKEN and ANTHROPIC_API_KEY; apiKeyHelper in ~/.claude/settings.json; a login of the Claude Code CLI. Set one of them, or set `model` to `auto` or `demo` to try DorkOS with its demo model.',
  credentials_address_invalid: 'ANTHROPIC_BASE_URL is not a web address; correct or remove it.',
  credentials_key_invalid: ({ name }: { name: string }) =>
    `${name} holds characters that cannot be in a key; copy it again.`,
  key_helper_silent: ({ seconds }: { seconds: number }) => keyHelper(`did not answer within ${seconds} s`),
  key_helper_talks: keyHelper('printed far more than a key'),
  key_helper_not_started: keyHelper('could not be started'),
  key_helper_killed: ({ signal }: { signal: string }) => keyHelper(`was ended (${signal})`),
  key_helper_failed: ({ code }: { code: number }) => keyHelper(`exited with ${code}`),
  key_helper_without_key: keyHelper('did not print a key'),
}

export interface Folder {
  folder: 'state' | 'shared'
  path: string
  /** Where it is named. */
  option: string
}

const folders = { state: 'state folder', shared: 'shared folder' }

function keyHelper(did: string): string {
  return `The apiKeyHelper of ~/.claude/settings.json ${did}; run it in a terminal to see why.`
}
