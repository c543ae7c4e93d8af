import type { Effort, PermissionMode } from '@dorkos/shared'

const modeNames: Record<PermissionMode, string> = {
  default: 'Ask first',
  acceptEdits: 'Accept edits',
  plan: 'Plan',
  dontAsk: 'Don’t ask',
  bypassPermissions: 'Bypass',
}

const modeHints: Record<PermissionMode, string> = {
  default: 'Asks before it edits files or runs commands.',
  acceptEdits:
    'Edits, moves and deletes files in the workspace without asking, including with commands such as rm. Asks before other commands.',
  plan: 'Explores and writes a plan. Changes nothing.',
  dontAsk:
    'Denies what “Ask first” would ask about. Asks only where a tool or rule always asks, settings weaken the sandbox, or the folder isn’t confirmed.',
  bypassPermissions:
    'Runs commands and edits files in the workspace without asking, and can read whatever you can read. Asks before writing elsewhere, and where “Don’t ask” still asks. Its file tools can’t write files that programs obey. Deny rules still apply.',
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
  placeholderRunning: 'Queue a message…',
  placeholderElsewhere: 'In use in a terminal. Fork to continue here.',
  readOnly: 'You can view this session. Sending messages needs the “Chat” permission.',

  send: 'Send',
  needsText: 'Write a message first.',
  queue: 'Queue',
  steer: 'Send now',
  steerHint: 'Send it into the running turn instead of waiting for the end',
  stop: 'Stop',
  stopping: 'Stopping…',
  stopKeys: 'Esc',
  steerKeys: (withCommand: boolean, command: string) =>
    withCommand ? `${command}+Shift+Enter` : `${command}+Enter`,
  stopLate:
    'The agent was asked to stop but is still running. Ending its process always works, and keeps the conversation.',
  stopFailed: (fault: string) => `Couldn’t stop: ${fault}`,
  stopAgain: 'Try again',
  endProcess: 'End process',
  resume: 'Resume',
  resumeHint: 'The session is paused. Messages and tool calls are waiting.',
  fork: 'Fork',
  forkHint:
    'Claude Code is using this conversation in a terminal. A fork continues from here as a separate session.',

  attach: 'Attach files',
  dropHere: 'Drop files to attach them',
  dropHint: 'Images, PDFs and text files',
  attachments: 'Attachments',
  pastedImage: 'Pasted image',
  document: 'Document',
  image: 'Image',
  removeAttachment: (name: string) => `Remove ${name}`,
  reading: (name: string) => `Reading ${name}`,
  notRead: 'Couldn’t be read.',
  readAgain: (name: string) => `Try ${name} again`,
  waitsForFiles: (count: number) => (count === 1 ? 'Waiting for 1 file…' : `Waiting for ${count} files…`),
  attachmentsLost: (count: number) =>
    `${files(count)} in this draft couldn’t be kept when the page reloaded. Add ${count === 1 ? 'it' : 'them'} again if you need to.`,
  refused: {
    type: (name: string) =>
      `${name} can’t be attached. Attach images (PNG, JPEG, GIF, WebP), PDFs or text files.`,
    empty: (name: string) => `${name} is empty.`,
    document_size: (name: string) => `${name} is too large. PDFs can be up to 14 MB.`,
    text_size: (name: string) =>
      `${name} is too large for a message. If it’s in the workspace, mention it with @.`,
    image_size: (name: string) => `${name} is too large, even after resizing.`,
    image_broken: (name: string) => `${name} can’t be read as an image.`,
    count: (name: string) => `${name} wasn’t attached. A message can have up to 20 attachments.`,
    total: (name: string) => `${name} wasn’t attached. Attachments can total up to 31 MB.`,
  },
  unnamedFile: 'The file',
  tooLong: 'The message is too long. The limit is 1,000,000 characters. Attach it as text files instead.',

  suggestions: {
    commands: 'Commands and skills',
    files: 'Files',
    notes: 'Where to save it',
    starting: 'Starting the session to list its commands…',
    noCommands: 'No matching commands.',
    noFiles: 'No matching files.',
    searching: 'Searching…',
    unavailable: 'Commands are listed once the session is running.',
    listing: 'Loading this workspace’s commands…',
    notListed: (why: string) => `Couldn’t list this workspace’s commands: ${why}`,
    noneOfWorkspace:
      'This workspace has no commands of its own. Claude Code’s own commands are listed once a session has run, but you can type one now.',
    count: (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`),
    directory: 'folder',
    sources: { project: 'project', user: 'user', plugin: 'plugin', mcp: 'MCP', builtin: 'built in' },
  },

  remember: {
    scopes: {
      project: 'This project (CLAUDE.md)',
      user: 'All your projects',
    },
    requests: {
      project: (note: string) => `Add this to this project’s CLAUDE.md, so you remember it: ${note}`,
      user: (note: string) =>
        `Add this to my own CLAUDE.md (~/.claude/CLAUDE.md), so you remember it in all my projects: ${note}`,
    },
  },

  outbox: {
    title: 'Not sent yet',
    sending: 'Sending…',
    sendingPart: (percent: number) => `Sending… ${percent}%`,
    waiting: 'Can’t reach the server. This will be sent when it’s back.',
    accepted: 'Received by the server.',
    steered: 'Added to the running turn. The agent reads it at its next step.',
    failed: (fault: string) => `Not sent: ${fault}`,
    retry: 'Try again',
    edit: 'Edit',
    discard: 'Discard',
    discardTitle: 'Discard this message?',
    discardText: 'It was never sent. You can’t undo this.',
    discardUnsure: 'The server hasn’t confirmed it. If it did arrive, it will appear in the conversation.',
    byAnother: 'it was written while someone else was signed in here. “Try again” sends it as you.',
    lost: (count: number) =>
      `the page was closed before it could be sent, and ${files(count)} didn’t fit in the browser’s storage. Edit it to add them again.`,
  },

  queueMore: 'Show all',

  model: 'Model',
  modelDefault: 'Default',
  modelDemo: 'Demo model',
  modelDefaultHint: 'From the configuration or the CLI',
  mode: 'Permission mode',
  modeNames,
  picked: (what: string, chosen: string) => `${what}: ${chosen}`,
  modeHints,
  modeNeedsApprove: 'Needs the “Approve” permission.',
  modeKeys: 'Shift+Tab switches modes',
  effort: 'Effort',
  effortNames,
  effortDefault: 'Auto',
  effortDefaultHint: 'The model decides',
  effortHint: 'How hard the model thinks',
  bypassWord: 'Bypass: runs almost everything without asking',
  bypassTitle: 'Run without asking?',
  bypassText:
    'The agent can run any command and change any file in the workspace without asking. It can read whatever you can read, except keys and DorkOS’s own files. It asks before writing outside the workspace, and deny rules still apply. Use this only where you have nothing to lose.',
  bypassAction: 'Run without asking',

  keysTitle: 'Send with',
  keysEnter: 'Enter sends',
  keysEnterHint: 'Shift+Enter for a new line',
  keysCommand: (command: string) => `${command}+Enter sends`,
  keysCommandHint: 'Enter for a new line',
}
