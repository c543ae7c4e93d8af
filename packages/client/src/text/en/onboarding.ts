export const onboarding = {
  title: 'Welcome to DorkOS',
  lead: 'A home for your Claude Code agents. Watch, approve and steer them from any device.',
  checks: 'Setup',
  ok: 'OK',
  attention: 'Check this',
  missing: 'Missing',
  cli: {
    title: 'Claude Code CLI',
    ok: (version: string | undefined) => (version === undefined ? 'Found.' : `Found, version ${version}.`),
    missing:
      'Not found. Install it with “npm install -g @anthropic-ai/claude-code”, or set “cliPath” in the settings.',
  },
  model: {
    title: 'Model',
    demo: 'You’re using the demo model: scripted answers, no cost. To use Claude, set ANTHROPIC_API_KEY or sign in with “claude”, then restart the server.',
    sources: {
      demo: 'Demo model.',
      api_key: 'API key found. Agents never see it.',
      auth_token: 'Access token found. Agents never see it.',
      api_key_helper: 'Key from your apiKeyHelper.',
      bedrock: 'Amazon Bedrock.',
      vertex: 'Google Vertex AI.',
      foundry: 'Microsoft Foundry.',
      cli_login: 'Your Claude Code login.',
    },
  },
  sandbox: {
    title: 'Command sandbox',
    ok: 'Agents’ commands run in a sandbox. They can’t read your keys or reach this server.',
    missing: (reason: string | undefined) =>
      `${reason === undefined ? '' : `${reason}. `}Agents’ commands run without a sandbox. Install bubblewrap and socat, then restart the server.`,
  },
  workspace: {
    title: 'Workspace',
    ok: (name: string) => `Agents work in “${name}” unless you choose another.`,
    untrusted: (name: string) =>
      `Agents work in “${name}” unless you choose another. Its own settings, servers and hooks aren’t loaded until you trust it.`,
    changed: (name: string) =>
      `“${name}” has changed since you trusted it. Its own settings, servers and hooks aren’t loaded until you review it.`,
    missing: 'None yet. Add a directory for agents to work in.',
    open: 'View workspaces',
    review: 'Review',
  },
  start: 'Start your first session',
  startLead:
    'Describe what you want done. The agent asks before it changes files or runs commands that could.',
  install: 'Install as an app',
  installLead: 'Opens in its own window.',
  phone: 'Use it on your phone',
  phoneLead: 'Sign in another browser under Settings → Devices.',
}
