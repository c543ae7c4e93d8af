/** Signing in to MCP servers, and what to do where that is not how a server is reached. */
const inOwnersFile =
  'Change its credentials in its file. If it wants you to sign in in a browser instead, take its Authorization header out there: then you can sign in here.'
const goesFirst =
  'If it wants you to sign in in a browser instead, add a server of the same name and address here, without an Authorization header: it goes first, and you can sign in to it.'

export const mcpSignIn = {
  label: (name: string) => `Sign in to ${name}`,
  wanted: (name: string) => `${name} wants you to sign in.`,
  wantedAgain: (name: string, host: string) =>
    `${name} no longer takes the sign-in at ${host}. Sign in again.`,
  notAdmin: 'Somebody whose device has the right “Administer” must do that.',
  begin: 'Sign in',
  beginning: (name: string) => `Asking ${name} where to sign in…`,
  opens: (host: string) =>
    `This opens ${host} in a new tab. Go on only if that is where you want to sign in.`,
  goOn: (host: string) => `Go to ${host}`,
  granted: {
    warning: (host: string, where: string) =>
      `You would sign in at ${host}, but what you grant there goes to ${where}. If you do not know ${where}, do not go on: somebody may want to get at your account by this.`,
    agree: (where: string) => `I know ${where}, and want it to have what I grant`,
  },
  openAgain: 'Open it again',
  waiting: (host: string) => `Waiting for you to sign in at ${host}…`,
  expired: 'This took too long, so the sign-in is no longer valid. Begin again.',
  notSafe:
    'The server names an address for signing in that is not secure (https), so it is not opened. Ask whoever runs it.',
  hide: (name: string) => `Hide this for ${name} in this session`,
  useToken: 'Use a token instead',
  client: {
    wanted: (host: string) =>
      `${host} only lets in programs that were registered there by hand. Register DorkOS there, then fill in what you are given.`,
    redirect: 'Redirect address to register',
    copyRedirect: 'Copy the redirect address',
    id: 'Client id',
    idMissing: 'Fill in the client id.',
    secret: 'Client secret',
    secretHint: 'Only if you were given one. The server keeps it, and shows it to nobody.',
    submit: 'Go on',
  },
  back: {
    working: 'Finishing the sign-in…',
    done: (name: string) => `You are signed in to ${name}`,
    close: 'You can close this tab.',
    show: (name: string) => `Show ${name}`,
    notConnected: (name: string) => `But ${name} does not work yet.`,
    failed: 'The sign-in did not work',
    again: 'Try again',
    nothing: 'There is no sign-in to finish',
    nothingHint:
      'You come here from the place where you sign in to an MCP server, and each such visit counts once. Begin at the server that wants a sign-in.',
    servers: 'All MCP servers',
  },
  signedIn: {
    label: 'Signed in',
    by: (who: string, host: string) => `by ${who} at ${host},`,
    scopes: (scopes: string) => `It may: ${scopes}`,
    end: 'Sign out',
    endTitle: (name: string) => `Sign out of ${name}?`,
    endMessage: (name: string) =>
      `The tokens are revoked where that is possible, and forgotten. Agents cannot use ${name} until somebody signs in again.`,
    ended: (name: string) => `You are signed out of ${name}.`,
  },
  own: 'Change its credentials, such as the token in a header, then test it. If it wants you to sign in in a browser instead, take its Authorization header out: then you can sign in here. Or leave it to Claude Code.',
  elsewhere: {
    dorkos: 'Change its credentials where it comes from.',
    local: inOwnersFile,
    user: inOwnersFile,
    settings: inOwnersFile,
    project: `Change its credentials in its file. ${goesFirst}`,
    plugin: `Its plugin says how it signs in. ${goesFirst}`,
  },
  edit: 'Change its credentials',
  leave: 'Leave it to Claude Code',
  leaveTitle: (name: string) => `Leave ${name} to Claude Code?`,
  leaveMessage:
    'Claude Code then connects to it itself, for each session, with the sign-in that it keeps. DorkOS no longer watches its health, nor holds its tools when they change. Edit its entry to take it back.',
  left: (name: string) => `${name} is left to Claude Code from now on.`,
  show: 'Show the entry',
}
