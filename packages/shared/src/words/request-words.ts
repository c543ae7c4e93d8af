/** About requests, tokens and streams. */
import { permission } from './permission.ts'

export const requestWords = {
  request_invalid: ({ faults }: { faults: readonly string[] }) =>
    `The request isn’t valid: ${faults.join('; ')}`,
  body_too_deep: ({ most }: { most: number }) => `The body is nested more than ${most} levels deep.`,
  body_not_json: 'The body isn’t JSON in UTF-8.',
  body_type_unsupported: 'The body must be `application/json`.',
  body_not_taken: 'This request can’t have a body.',
  body_too_large: ({ most }: { most: number }) => `The body is larger than ${most} bytes.`,
  body_incomplete: 'The request ended before its body was complete.',
  socket_request_unknown: 'DorkOS doesn’t understand this request.',
  too_many_headers: ({ most }: { most: number }) => `The request has more than ${most} headers.`,
  authorization_ambiguous: 'The request has more than one Authorization header.',
  host_unknown:
    'This server doesn’t answer to that host name. Use the address it printed when it started, or add the origin to `publicOrigins`.',
  target_not_plain: 'The request target must be a plain path.',
  origin_foreign: 'Requests from pages of another origin are rejected.',
  site_foreign: 'Requests that another site started are rejected.',
  path_unknown: 'There’s nothing at this path. See `/api/docs` for what there is.',
  method_not_taken: ({ allowed }: { allowed: readonly string[] }) =>
    `This path only accepts ${allowed.join(' and ')}.`,
  cursor_foreign: 'The cursor isn’t from this server.',
  key_used_for_message: 'This Idempotency-Key was already used for another message.',
  key_used_for_request: 'This Idempotency-Key was already used for another request.',

  token_missing: 'This needs a token: `Authorization: Bearer …`.',
  token_refused: 'The token is unknown, expired or revoked.',
  token_revoked: 'The token was revoked.',
  token_gone: 'The token no longer exists. Sign in again.',
  token_needed: 'Only someone who signed in with a token can do this.',
  token_not_found: 'There’s no such token.',
  token_name_reserved: ({ name }: { name: string }) =>
    `The name “${name}” is reserved for the server’s own token, which always keeps it.`,
  token_lacks: ({ scopes }: { scopes: readonly string[] }) =>
    `You can’t grant what you don’t have: the ${scopes.map(permission).join(' and the ')}.`,
  scope_needed: ({ scope }: { scope: string }) => `This needs the ${permission(scope)}.`,
  scope_needed_for_mode: ({ scope, mode }: { scope: string; mode: string }) =>
    `The permission mode \`${mode}\` needs the ${permission(scope)}.`,
  scope_needed_for_session: ({ scope, mode }: { scope: string; mode: string }) =>
    `A session in the permission mode \`${mode}\` needs the ${permission(scope)}.`,
  scope_needed_for_folder: ({ scope }: { scope: string }) =>
    `A folder outside any workspace needs the ${permission(scope)} until someone confirms it.`,
  scope_needed_for_budget: ({ scope }: { scope: string }) =>
    `Raising a budget needs the ${permission(scope)}.`,
  too_many_failures: ({ seconds }: { seconds: number }) =>
    `Too many failed attempts. Try again in ${seconds} s.`,
  too_many_streams_of_token: ({ most }: { most: number }) =>
    `This token has ${most} open event streams, the most that \`events.maxStreamsPerToken\` allows. Close one first, or raise the limit.`,
  too_many_streams: ({ most }: { most: number }) =>
    `The server has ${most} open event streams, the most that \`events.maxStreams\` allows. Close one first, or raise the limit.`,

  code_gone: 'This code was already used, has expired or never existed. Get a new one.',
  codes_unused: 'There are too many unused codes. They expire after 10 minutes.',
  codes_wrong: 'Too many wrong codes. Wait a while before you try another.',
  pairings_open: 'Too many codes are waiting to be confirmed. They expire after 10 minutes.',
  pairing_confirmed: 'This code was already confirmed.',
  pairing_gone: 'This pairing was already used, has expired or was canceled. Get a new code.',
  code_refused: ({ why }: { why: string }) =>
    `The server doesn’t give out codes here, because an agent could ask for one too: ${why}. Create one under Devices on a signed-in page, or stop the server and run \`dorkos serve\` once in a terminal.`,
  agents_unsandboxed: 'agents’ commands run without a sandbox',
  agents_unsandboxed_because: ({ why }: { why: string }) => `agents’ commands run without a sandbox (${why})`,
  sandbox_untried: ({ platform }: { platform: string }) =>
    `this was never tested against the sandbox of ${platform}`,
  sandbox_opened_by: ({ file }: { file: string }) =>
    `settings loosen the sandbox of agents’ commands (${file})`,
}
