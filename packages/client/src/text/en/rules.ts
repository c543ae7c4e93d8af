/** Rules: answers to tool calls that were given once and hold for those to come. */
export const rules = {
  title: 'Rules',
  description:
    'Answers to tool calls that hold until they are revoked. Deny beats ask, ask beats allow. A rule holds from the next call on, in running sessions too.',
  add: 'Add a rule',
  showRevoked: 'Show revoked rules',
  empty: 'There are no rules yet',
  emptyMeans:
    'Choose “Always allow” on an approval, or add a rule here. Without rules every call that matters asks you.',
  effects: { allow: 'Allow', deny: 'Deny', ask: 'Ask' },
  effectMeans: {
    allow: 'Runs without asking.',
    deny: 'Never runs, whatever the permission mode.',
    ask: 'Asks each time, also where the mode would not.',
  },
  fields: {
    effect: 'Effect',
    tool: 'Tool',
    match: 'What it is for',
    scope: 'Where it holds',
    workspace: 'Workspace',
    session: 'Session',
  },
  every: 'Every call',
  pattern: '* stands for anything',
  fixed: 'Every call with these fields as they are here; the others may be anything:',
  prefix: 'Commands that begin like this, which Claude Code itself tells. What is chained to one still asks:',
  chosenOnCard:
    'This was chosen in an answer and cannot be changed. Revoke the rule and answer anew for another.',
  scopes: {
    everywhere: 'Everywhere',
    workspace: (name: string) => `Workspace ${name}`,
    session: (name: string) => `Session ${name}`,
  },
  scopeChoices: { everywhere: 'Everywhere', workspace: 'In one workspace', session: 'In one session' },
  origins: {
    approval: 'From an answer',
    api: 'Added by hand',
    configuration: 'From the configuration.',
  },
  configurationMeans: (path: string | undefined) =>
    `Read only here. Change it under “rules” in ${path ?? 'the configuration file'}.`,
  by: (who: string) => `by ${who}`,
  revokedAt: 'Revoked',
  edit: 'Edit',
  revoke: 'Revoke',
  actions: (tool: string) => `What to do with the rule for ${tool}`,
  revokeTitle: 'Revoke this rule?',
  revokeMessage: {
    allow: (tool: string) => `Calls of ${tool} that it covers will ask again.`,
    deny: (tool: string) =>
      `Calls of ${tool} that it forbids may run again, if a person or another rule allows them.`,
    ask: (tool: string) => `Calls of ${tool} will be decided by the permission mode and the other rules.`,
  },
  revoked: 'The rule is revoked.',
  saved: 'The rule is saved.',
  addTitle: 'Add a rule',
  editTitle: 'Edit the rule',
  toolHint:
    'The whole name, such as Bash, Edit or mcp__github__create_issue. Patterns belong in the configuration file.',
  matchHint:
    'The exact command for Bash, the path for file tools, the whole input as JSON for others. Empty: every call of the tool.',
  matchFixed: 'A rule that is for one thing cannot be made one for every call: add a new rule instead.',
  broadAllow: 'This lets every call of the tool run unasked. Be sure that you want that.',
  needsAdmin: 'To add or edit rules, this device needs a token with the right “Administer”.',
  faults: {
    tool: 'Name the tool.',
    star: 'A rule here names one tool. Patterns with * belong in the configuration file.',
    workspace: 'Choose a workspace.',
    session: 'Choose a session.',
  },
  choose: 'Choose…',
}
