import type { Effort, PermissionMode } from '@dorkos/shared'

const modeNames: Record<PermissionMode, string> = {
  default: 'Ask first',
  acceptEdits: 'Accept edits',
  plan: 'Plan',
  dontAsk: 'Don’t ask',
  bypassPermissions: 'Bypass',
}

const modeHints: Record<PermissionMode, string> = {
  default: 'Asks you before it edits files or runs commands.',
  acceptEdits:
    'Edits, moves and deletes files of the workspace without asking, with commands such as rm too. Asks before other commands.',
  plan: 'Looks around and writes a plan; changes nothing.',
  dontAsk: 'Never asks: what no rule allows is denied.',
  bypassPermissions:
    'Runs everything without asking, and reads whatever you can read. Asks only before it writes outside of the workspace; deny rules hold.',
}

const effortNames: Record<Effort, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
  max: 'Maximum',
}

const files = (count: number) => (count === 1 ? '1 attachment' : `${count} attachments`)

export const composer = {
  label: 'Message to the agent',
  region: 'Write a message',
  placeholder: 'Message the agent (/ commands, @ files)',
  placeholderRunning: 'Type ahead: it waits for its turn',
  placeholderElsewhere: 'In use in a terminal: fork to go on here',
  readOnly: 'You can look, but not send: this browser’s token lacks the right “Chat”.',

  send: 'Send',
  queue: 'Queue',
  steer: 'Send now',
  steerHint: 'Put it into the running turn without waiting for its end',
  stop: 'Stop',
  stopping: 'Stopping…',
  stopKeys: 'Esc',
  steerKeys: (withCommand: boolean, command: string) =>
    withCommand ? `${command}+Shift+Enter` : `${command}+Enter`,
  stopLate:
    'The agent was asked to stop but still runs. Ending its process stops it for certain; the conversation stays.',
  stopFailed: (fault: string) => `It could not be stopped: ${fault}`,
  stopAgain: 'Try again',
  endProcess: 'End process',
  resume: 'Resume',
  resumeHint: 'The session is paused: messages and tool calls are held.',
  fork: 'Fork',
  forkHint:
    'A claude in a terminal works on this conversation. A fork goes on from here as a session of its own.',

  attach: 'Attach files',
  dropHere: 'Drop files to attach them',
  dropHint: 'Images, PDFs and text files',
  attachments: 'Attachments',
  pastedImage: 'Pasted image',
  document: 'Document',
  image: 'Image',
  removeAttachment: (name: string) => `Remove ${name}`,
  attachmentsLost: (count: number) =>
    `${files(count)} of this draft did not outlive the reload. Add ${count === 1 ? 'it' : 'them'} again if needed.`,
  refused: {
    type: (name: string) =>
      `${name}: only images (PNG, JPEG, GIF, WebP), PDFs and text files can be attached.`,
    empty: (name: string) => `${name} is empty.`,
    document_size: (name: string) => `${name} is too large: PDFs may have up to 14 MB.`,
    text_size: (name: string) =>
      `${name} is too large to go into a message. Mention it with @ if it is in the workspace.`,
    image_size: (name: string) => `${name} is too large, even made smaller.`,
    image_broken: (name: string) => `${name} could not be read as an image.`,
    count: (name: string) => `${name} was left out: a message takes up to 20 attachments.`,
    total: (name: string) => `${name} was left out: all attachments together may have up to 31 MB.`,
  },
  unnamedFile: 'The file',
  tooLong: 'The message is too long: up to 1,000,000 characters. Attach it as a text file in parts.',

  suggestions: {
    commands: 'Commands and skills',
    files: 'Files',
    notes: 'Where to remember it',
    starting: 'Starting the session to list its commands…',
    noCommands: 'No command fits.',
    noFiles: 'No file fits.',
    searching: 'Searching…',
    unavailable: 'Commands are listed once the session runs.',
    listing: 'Looking for the commands of this workspace…',
    notListed: (why: string) => `The commands of this workspace could not be listed: ${why}`,
    noneOfWorkspace:
      'This workspace has no commands of its own that count. Those of Claude Code itself are listed once a session has run; you can type one now.',
    count: (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`),
    directory: 'folder',
    sources: { project: 'project', user: 'yours', plugin: 'plugin', mcp: 'MCP', builtin: 'built in' },
  },

  remember: {
    scopes: {
      project: 'Remember in this project (CLAUDE.md)',
      user: 'Remember for all your projects',
    },
    requests: {
      project: (note: string) => `Write this into this project’s CLAUDE.md, so that you remember it: ${note}`,
      user: (note: string) =>
        `Write this into my own CLAUDE.md (~/.claude/CLAUDE.md), so that you remember it in all my projects: ${note}`,
    },
  },

  outbox: {
    title: 'Not sent yet',
    sending: 'Sending…',
    waiting: 'No answer from the server yet. Sent as soon as the server is back.',
    accepted: 'The server has it. Waiting to see it here.',
    steered: 'On its way into the turn: the agent reads it at its next step.',
    failed: (fault: string) => `Not sent: ${fault}`,
    retry: 'Try again',
    edit: 'Edit',
    discard: 'Discard',
    discardTitle: 'Discard this message?',
    discardText: 'It was not sent, and is gone for good.',
    discardUnsure:
      'The server has not confirmed it. If it arrived after all, it shows up in the conversation.',
    byAnother: 'it was written while somebody else was signed in here. “Try again” sends it as you.',
    lost: (count: number) =>
      `the page was closed before it could be sent, and ${files(count)} did not fit into the browser’s storage. Edit it to add them again.`,
  },

  queueMore: 'Show all of it',

  model: 'Model',
  modelDefault: 'Default',
  modelDemo: 'Demo model',
  modelDefaultHint: 'What the configuration or the CLI says',
  mode: 'Permission mode',
  modeNames,
  modeHints,
  modeNeedsApprove: 'Needs a token with the right “Approve”.',
  modeKeys: 'Shift+Tab goes through the modes',
  effort: 'Effort',
  effortNames,
  effortDefault: 'Auto',
  effortDefaultHint: 'The model’s own',
  effortHint: 'How hard the model thinks',
  bypassWord: 'Bypass: almost nothing is asked',
  bypassTitle: 'Run without asking?',
  bypassText:
    'The agent will run every command and change every file of the workspace without asking you, and can read whatever you can read but for keys and DorkOS’s own files. It asks before it writes elsewhere; deny rules hold. Use it only where nothing can be lost.',
  bypassAction: 'Run without asking',

  keysTitle: 'Keys',
  keysEnter: 'Enter sends',
  keysEnterHint: 'Shift+Enter makes a new line',
  keysCommand: (command: string) => `${command}+Enter sends`,
  keysCommandHint: 'Enter makes a new line',

  fresh: {
    title: 'New session',
    first: 'What should the agent do?',
    placeholder: 'Describe the task (/ commands, @ files)',
    start: 'Start',
    startEmpty: 'Start without a message',
    startEmptyHint: 'The agent waits for your first message.',
    startNeedsText: 'Write a message first',
    moreStarts: 'More ways to start',
    workspace: 'Workspace',
    mainWorkspace: (name: string) => `${name} (main)`,
    noWorkspaces: 'There is no workspace yet.',
    addWorkspace: 'Add a workspace',
    path: 'Directory',
    pathHint:
      'A whole path on the server’s machine, or one that begins with ~/, inside the configured roots.',
    add: 'Add',
    added: (name: string) => `${name} was added.`,
    trusted: 'Trusted: its settings and servers are loaded.',
    untrusted: 'If it brings settings, servers or tools of its own, they are loaded once you trust it.',
    changed:
      'It has changed since it was trusted: its settings, servers and tools are not loaded until you look.',
    reviewTrust: 'Look at it',
    container: 'container',
    more: 'More options',
    cwd: 'Directory inside the workspace',
    cwdHint: 'Empty: the workspace itself.',
    sessionTitle: 'Title',
    titleHint: 'Empty: made from the conversation.',
    budget: 'Budget in USD',
    budgetHint: (usd: string) => `Empty: ${usd}, as configured. 0 means no limit.`,
    budgetNone: 'Empty: no limit, as configured.',
    budgetFault: 'A number from 0 to 100,000.',
    unattended: 'Unattended',
    unattendedHint: 'Nobody watches: what no rule answers is denied at once.',
    suggestions: 'To begin with',
    demo: 'The demo model knows a few commands. What they set off is real. Try one:',
    demoPrompts: [
      'ping',
      'run ls',
      'write hello.txt: Hello!',
      'ask me something',
      'to-do list',
      'think',
      'stream',
      'help',
    ],
    prompts: [
      'Explain what this project does and how it is built',
      'Find a bug and propose a fix',
      'Write tests for what is not tested',
    ],
    failed: (fault: string) => `The session was not started: ${fault}`,
    readOnly: 'You can look, but not start sessions: this browser’s token lacks the right “Chat”.',
  },
}
