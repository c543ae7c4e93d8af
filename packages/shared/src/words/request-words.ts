/** About requests, tokens and streams. */
export const requestWords = {
  request_invalid: ({ faults }: { faults: readonly string[] }) =>
    `The request is not valid: ${faults.join('; ')}`,
  body_too_deep: ({ most }: { most: number }) => `The body is nested deeper than ${most} levels.`,
  body_not_json: 'The body is not JSON in UTF-8.',
  body_type_unsupported: 'Bodies must be `application/json`.',
  body_not_taken: 'This takes no body.',
  body_too_large: ({ most }: { most: number }) => `The body is over the limit of ${most} bytes.`,
  body_incomplete: 'The request broke off before its body was complete.',
  socket_request_unknown: 'The request is not understood.',
  too_many_headers: ({ most }: { most: number }) => `The request has more than ${most} headers.`,
  authorization_ambiguous: 'The request has more than one Authorization header.',
  host_unknown:
    'This server does not answer for that host. Use the address it printed when it started, or add the origin to `publicOrigins`.',
  target_not_plain: 'The request target must be a plain path.',
  origin_foreign: 'Requests from pages of another origin are refused.',
  site_foreign: 'Requests that another site started are refused.',
  path_unknown: 'There is nothing at this path; `/api/docs` lists what there is.',
  method_not_taken: ({ allowed }: { allowed: readonly string[] }) =>
    `This path takes ${allowed.join(' and ')}.`,
  cursor_foreign: 'The cursor is not one that this server gave out.',
  key_used_for_message: 'This Idempotency-Key was used before with another message.',
  key_used_for_request: 'This Idempotency-Key was used before with another request.',

  token_missing: 'This needs a token: `Authorization: Bearer …`.',
  token_refused: 'The token is not known, has expired or was revoked.',
  token_revoked: 'The token was revoked.',
  token_gone: 'The token is gone. Sign in again.',
  token_needed: 'Only who signed in with a token can do this.',
  token_not_found: 'There is no such token.',
  token_name_reserved: ({ name }: { name: string }) =>
    `The name “${name}” belongs to the server and stays with that token.`,
  token_lacks: ({ scopes }: { scopes: readonly string[] }) =>
    `This token lacks ${scopes.join(' and ')} and cannot hand it on.`,
  scope_needed: ({ scope }: { scope: string }) => `This needs a token with the scope \`${scope}\`.`,
  scope_needed_for_mode: ({ scope, mode }: { scope: string; mode: string }) =>
    `The permission mode \`${mode}\` needs a token with the scope \`${scope}\`.`,
  scope_needed_for_session: ({ scope, mode }: { scope: string; mode: string }) =>
    `A session in the permission mode \`${mode}\` needs a token with the scope \`${scope}\`.`,
  scope_needed_for_folder: ({ scope }: { scope: string }) =>
    `A folder outside of any workspace that nobody has confirmed needs a token with the scope \`${scope}\`.`,
  scope_needed_for_budget: ({ scope }: { scope: string }) =>
    `A higher budget needs a token with the scope \`${scope}\`.`,
  too_many_failures: ({ seconds }: { seconds: number }) =>
    `Too many failed attempts; try again in ${seconds} s.`,
  too_many_streams_of_token: ({ most }: { most: number }) =>
    `This token has ${most} open event streams, as many as \`events.maxStreamsPerToken\` of the configuration allows. Close one first, or raise that.`,
  too_many_streams: ({ most }: { most: number }) =>
    `The server has ${most} open event streams, as many as \`events.maxStreams\` of the configuration allows. Close one first, or raise that.`,

  code_gone: 'This code was used before, has expired or was never made. Ask for a new one.',
  codes_unused: 'Too many unused codes; they expire after ten minutes.',
  codes_wrong: 'Too many wrong codes. Wait a while before you type another.',
  pairings_open: 'Too many codes wait to be confirmed; they expire after ten minutes.',
  pairing_confirmed: 'This code was confirmed before.',
  pairing_gone: 'This pairing was used before, has expired or was taken back. Ask for a new code.',
  code_refused: ({ why }: { why: string }) =>
    `No code is given out here, since an agent could ask for one too: ${why}. Make one under Devices on a page that is signed in; or stop the server and run \`dorkos serve\` once in a terminal.`,
  agents_unsandboxed: 'agents’ commands run without a sandbox',
  agents_unsandboxed_because: ({ why }: { why: string }) => `agents’ commands run without a sandbox (${why})`,
  sandbox_untried: ({ platform }: { platform: string }) =>
    `this was never tried against the sandbox of ${platform}`,
  sandbox_opened_by: ({ file }: { file: string }) =>
    `settings open the sandbox of agents’ commands (${file})`,
}
