/** Profiles: agents that are defined once. */
export const profiles = {
  title: 'Profiles',
  description:
    'An agent defined once, in a file: its prompt, model, tools, rules and limits. Start a session with one by name.',
  add: 'New profile',
  import: 'Import…',
  empty: 'No profiles yet',
  emptyMeans: 'Create one, or import an agent of Claude Code.',
  origins: { workspace: 'Workspace', owner: 'Yours', shipped: 'Comes with DorkOS' },
  untrusted: 'Not trusted',
  untrustedMeans: 'The workspace isn’t trusted as it is now, so this profile can’t be used.',
  faults: (n: number) => (n === 1 ? '1 error' : `${n} errors`),
  replaced: { workspace: 'Replaced by the workspace’s', owner: 'Replaced by yours', shipped: '' },
  back: 'Profiles',
  newTitle: 'New profile',
  name: 'Name',
  nameHint: 'Lower-case letters, digits and hyphens. The file is called that, too.',
  text: 'File',
  line: (line: number) => `Line ${line}`,
  checking: 'Checking…',
  fine: 'No errors',
  save: 'Save',
  saved: 'Profile saved',
  saveNothing: 'Nothing has changed.',
  saveFaults: 'Fix the errors first.',
  saveNameless: 'Give it a name first.',
  needsAdmin: 'Saving profiles needs the “Admin” permission.',
  copyShipped: 'Saving creates your own profile with this name. It replaces the one from DorkOS.',
  trustStays: 'Saving changes a file in the workspace. If you trust the workspace, it stays trusted.',
  tryIt: 'Start a session',
  tryFaults: 'It can’t be used before its errors are fixed and it is saved.',
  delete: 'Delete',
  deleteTitle: 'Delete this profile?',
  deleteMessage: 'Its file is removed. Sessions that were started with it keep it as it was.',
  deleted: 'Profile deleted',
  imports: {
    title: 'Import agents',
    hint: 'Agents in ~/.claude/agents, and those of the chosen workspace if it’s trusted.',
    none: 'No agents found that could be imported.',
    kinds: { claude_agent: 'Claude Code', sandstorm: 'sandstorm' },
    exists: 'A profile has this name',
    action: (name: string) => `Import ${name}`,
    short: 'Import',
    done: (name: string) => `${name} imported`,
    close: 'Close',
  },
  template: (name: string) => `---
name: ${name}
description: What this agent is for
# model: sonnet
# tools: [Read, Grep, Glob]
prompt: append
permissions:
  mode: default
limits: { max_turns: 50 }
---

What the agent should do, and what it should report.
`,
}
