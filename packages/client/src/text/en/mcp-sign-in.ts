/** Signing in to MCP servers, and what to do where that is not how a server is reached. */
const inOwnersFile =
  'Update the credentials in its file. If the server wants a browser sign-in instead, remove the Authorization header there, then sign in here.'
const goesFirst =
  'If the server wants a browser sign-in instead, add one here with the same name and URL but no Authorization header. It takes precedence, and you can sign in to it.'

export const mcpSignIn = {
  label: (name: string) => `Sign in to ${name}`,
  wanted: (name: string) => `${name} needs you to sign in.`,
  wantedAgain: (name: string, host: string) =>
    `${name} no longer accepts your sign-in at ${host}. Sign in again.`,
  notAdmin: 'Signing in needs the “Admin” permission.',
  begin: 'Sign in',
  beginning: (name: string) => `Asking ${name} where to sign in…`,
  opens: (host: string) =>
    `This opens ${host} in a new tab. Continue only if that’s where you want to sign in.`,
  goOn: (host: string) => `Go to ${host}`,
  granted: {
    warning: (host: string, where: string) =>
      `You’d sign in at ${host}, but the access you grant goes to ${where}. If you don’t recognize ${where}, stop: this could be an attempt to get into your account.`,
    agree: (where: string) => `I recognize ${where} and want to give it access`,
  },
  openAgain: 'Open again',
  waiting: (host: string) => `Waiting for you to sign in at ${host}…`,
  expired: 'This sign-in took too long and expired. Start again.',
  notSafe:
    'The server’s sign-in address isn’t secure (https), so it wasn’t opened. Contact the people who run the server.',
  hide: (name: string) => `Hide this for ${name} in this session`,
  useToken: 'Use a token instead',
  client: {
    wanted: (host: string) =>
      `${host} only accepts apps registered by hand. Register DorkOS there, then enter the details you get.`,
    redirect: 'Redirect URL to register',
    copyRedirect: 'Copy redirect URL',
    id: 'Client ID',
    idMissing: 'Enter the client ID.',
    secret: 'Client secret',
    secretHint: 'Only if you got one. It’s stored on the server and never shown.',
    submit: 'Continue',
  },
  back: {
    working: 'Finishing the sign-in…',
    done: (name: string) => `Signed in to ${name}`,
    close: 'You can close this tab.',
    show: (name: string) => `Show ${name}`,
    notConnected: (name: string) => `But ${name} isn’t working yet.`,
    failed: 'Sign-in failed',
    again: 'Try again',
    nothing: 'No sign-in to finish',
    nothingHint:
      'An MCP server’s sign-in page sends you here, and each visit works only once. Start again from the server that needs a sign-in.',
    servers: 'All MCP servers',
  },
  signedIn: {
    label: 'Signed in',
    by: (who: string, host: string) => `by ${who} at ${host},`,
    scopes: (scopes: string) => `Access: ${scopes}`,
    end: 'Sign out',
    endTitle: (name: string) => `Sign out of ${name}?`,
    endMessage: (name: string) =>
      `The tokens are deleted, and revoked where possible. Agents can’t use ${name} until someone signs in again.`,
    ended: (name: string) => `Signed out of ${name}.`,
  },
  own: 'Update its credentials, such as the token in a header, then test it. If it wants a browser sign-in instead, remove the Authorization header, then sign in here. Or let Claude Code run it.',
  elsewhere: {
    dorkos: 'Update the credentials in its source.',
    local: inOwnersFile,
    user: inOwnersFile,
    settings: inOwnersFile,
    project: `Update the credentials in its file. ${goesFirst}`,
    plugin: `Its plugin controls how it signs in. ${goesFirst}`,
  },
  edit: 'Update credentials',
  leave: 'Let Claude Code run it',
  leaveTitle: (name: string) => `Let Claude Code run ${name}?`,
  leaveMessage:
    'Claude Code will connect to it in each session, using its own sign-in. DorkOS won’t monitor it or review changes to its tools. To undo this, edit its entry.',
  left: (name: string) => `Claude Code now runs ${name}.`,
  show: 'Show entry',
}
