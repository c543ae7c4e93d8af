export const system = {
  title: 'System',
  lead: 'How this server is, and what it works with.',
  copy: 'Copy diagnostics',
  copied: 'Copied. It has no keys or codes; paths in your home directory are shortened.',
  docs: 'API documentation',
  wellNow: 'Everything is in order.',
  bannerLevels: { info: 'Good to know', warning: 'Look at this', danger: 'Needs attention' },

  server: 'Server',
  version: 'Version',
  started: 'Started',
  uptime: 'Has run for',
  address: 'Listens on',
  connection: 'This page',
  connections: {
    connecting: 'Connecting…',
    open: 'Connected',
    reconnecting: 'Reconnecting…',
    offline: 'Offline',
  },

  cli: 'Claude Code CLI',
  cliPath: 'Program',
  cliMissing: 'Not found',
  cliFault: 'Fault',
  works: 'Works',
  broken: 'Does not work',

  model: 'Model',
  modes: { demo: 'The demo model', anthropic: 'Claude' },
  source: 'Through',
  sources: {
    demo: 'Nothing: a small rule-based model on this machine. Set ANTHROPIC_API_KEY, or log in with the CLI, and restart.',
    api_key: 'An API key of Anthropic (ANTHROPIC_API_KEY).',
    auth_token: 'A token for the API (ANTHROPIC_AUTH_TOKEN).',
    api_key_helper: 'A program that gives the key (apiKeyHelper).',
    bedrock: 'Amazon Bedrock.',
    vertex: 'Google Vertex AI.',
    foundry: 'Microsoft Foundry.',
    cli_login: 'The CLI’s own login. Costs are estimates then.',
  },
  gateway: 'Model gateway',
  gatewayOn: 'On: no key is within an agent’s reach, and budgets are checked before each call of the model.',
  gatewayOff: 'Not used: the CLI talks to the model itself, and budgets are checked after each answer.',

  sandbox: 'Sandbox',
  sandboxOn: 'On',
  sandboxOff: 'Off',
  sandboxOnMeans:
    'Commands of agents see their workspace, cannot read DorkOS’s own files, and ask before they reach a new host.',
  sandboxOffMeans:
    'A command that you allow runs with all your rights: it can read every file of yours and reach this server. Read a command before you allow it.',
  why: 'Why',
  how: 'How to get it',
  sandboxHow:
    'Install bubblewrap and socat (Debian and Ubuntu: apt install bubblewrap socat), see that the setting “sandbox” is not off, and restart the server. On macOS it is there already.',

  containers: 'Containers',
  containersOn: 'Available',
  containersOff: 'Not available',
  containersOnMeans:
    'Workspaces of the mode “container” can run here: their agents see that directory and nothing else.',
  containersOffMeans: 'Workspaces of the mode “container” cannot run here. Others are not touched by this.',

  sessions: 'Sessions',
  live: 'Live',
  liveOf: (live: number, max: number) => `${live} of at most ${max}`,
  working: 'Working',
  waiting: 'Approvals that wait',

  index: 'Index of transcripts',
  indexed: 'Read',
  indexedOf: (indexed: string, all: string) => `${indexed} of ${all}`,
  indexDone: 'Complete: search finds everything.',
  indexGoing: 'Reading: search does not find everything yet.',
  indexEmpty: 'There are no transcripts yet.',
}
