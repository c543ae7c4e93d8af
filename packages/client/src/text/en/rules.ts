/** Rules: answers to tool calls that were given once and hold for those to come. */
export const rules = {
  title: 'Rules',
  description:
    'Answers to tool calls that apply until you revoke them. Deny beats ask, and ask beats allow. Rules apply from the next call, in running sessions too.',
  add: 'Add rule',
  showRevoked: 'Show revoked rules',
  empty: 'No rules yet',
  emptyMeans:
    'Choose “Always…” on an approval, or add a rule here. Without rules, every call that matters asks you.',
  effects: { allow: 'Allow', deny: 'Deny', ask: 'Ask' },
  effectMeans: {
    allow: 'Runs without asking.',
    deny: 'Never runs, whatever the permission mode.',
    ask: 'Asks every time, even when the mode wouldn’t.',
  },
  fields: {
    effect: 'Effect',
    tool: 'Tool',
    match: 'Applies to',
    scope: 'Where',
    workspace: 'Workspace',
    session: 'Session',
  },
  every: 'Every call',
  pattern: '* matches anything',
  fixed: 'Every call with these values. Other fields can be anything:',
  prefix: 'Commands that start like this, as matched by Claude Code. Chained commands still ask:',
  chosenOnCard:
    'This was set by an answer and can’t be edited. To change it, revoke the rule and answer again.',
  scopes: {
    everywhere: 'Everywhere',
    workspace: (name: string) => `Workspace ${name}`,
    session: (name: string) => `Session ${name}`,
  },
  scopeChoices: { everywhere: 'Everywhere', workspace: 'In one workspace', session: 'In one session' },
  origins: {
    approval: 'From an approval',
    api: 'Added by hand',
    configuration: 'From the configuration.',
    profile: 'From a profile',
  },
  configurationMeans: (path: string | undefined) =>
    `Read-only here. Change it under “rules” in ${path ?? 'the configuration file'}.`,
  by: (who: string) => `by ${who}`,
  revokedAt: 'Revoked',
  edit: 'Edit',
  revoke: 'Revoke',
  actions: (tool: string) => `Actions for the ${tool} rule`,
  revokeTitle: 'Revoke this rule?',
  revokeMessage: {
    allow: (tool: string) => `${tool} calls it covers will ask again.`,
    deny: (tool: string) => `${tool} calls it denies can run again if a person or another rule allows them.`,
    ask: (tool: string) => `The permission mode and other rules will decide about ${tool} calls.`,
  },
  revoked: 'Rule revoked.',
  saved: 'Rule saved.',
  addTitle: 'Add rule',
  editTitle: 'Edit rule',
  toolHint:
    'The full name, such as Bash, Edit or mcp__github__create_issue. For patterns, use the configuration file.',
  matchHint:
    'The exact command for Bash, the path for file tools, or the full input as JSON for others. Leave empty for every call.',
  matchFixed: 'This rule can’t be widened to every call. Add a new rule instead.',
  broadAllow: 'This lets every call to the tool run without asking. Make sure that’s what you want.',
  needsAdmin: 'Adding or editing rules needs the “Admin” permission.',
  faults: {
    tool: 'Enter a tool name.',
    star: 'Rules here are for one tool. For patterns with *, use the configuration file.',
    workspace: 'Choose a workspace.',
    session: 'Choose a session.',
  },
  choose: 'Choose…',
}
