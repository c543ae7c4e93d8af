import { conversationTools } from './conversation-tools.ts'

export const conversation = {
  ...conversationTools,
  gone: 'This session is not here',
  goneHint: 'It was deleted, its address is wrong, or this browser may not see it.',
  goneLink: 'To all sessions',

  titleLabel: 'Title of the session',
  rename: 'Rename',
  renameHint: 'Click to rename',
  dot: '·',
  andMore: (words: string) => ` · ${words}`,
  percent: (percent: number) => `${percent}%`,
  seconds: (count: number) => `${count} s`,
  details: 'Details of the session',
  workspace: 'Workspace',
  directory: 'Directory',
  branch: 'Branch',
  model: 'Model',
  defaultModel: 'Default model',
  origin: 'Started',
  startedHere: (time: string) => `here, ${time}`,
  startedInTerminal: (time: string) => `in a terminal, ${time}`,
  process: 'Process',
  processLive: 'running',
  processNone: 'not running; the next message starts it',
  limits: 'Limits',
  maxTurns: (count: number) => `${count} steps a turn`,
  budgetOf: (usd: string) => `${usd} budget`,
  forkedFrom: 'Forked from',
  forkedFromLink: 'this session',
  terminalBadge: 'terminal',
  archivedBadge: 'archived',
  demoModel: 'Demo model',
  unattendedBadge: 'unattended',

  actions: 'Session menu',
  resumeHint: (id: string) => `claude --resume ${id}, in its directory`,
  copyResume: 'Copy resume command',
  pause: 'Pause',
  pauseHint: 'Holds tool calls and waiting messages',
  resume: 'Resume',
  stopProcess: 'End the process',
  stopProcessHint: 'The session can be continued later',
  stopTitle: 'End the process?',
  stopMessage: 'What runs now is cut off. The conversation stays, and the next message starts a new process.',
  copied: 'Copied.',

  contextOf: (percent: number) => `${percent}% of the context is used`,
  contextTitle: 'What fills the context',
  contextUsed: (used: string, most: string) => `${used} of ${most} tokens`,
  contextCompacts: (percent: number) => `It is summarised by itself at ${percent}%.`,
  contextFault: 'How full it is could not be read.',

  cost: 'Cost',
  /** `used`: the part of its budget, when there is a warning. */
  costOf: (usd: string, used?: number) =>
    used === undefined
      ? `This session has cost ${usd}`
      : `This session has cost ${usd}; ${Math.round(used * 100)}% of the budget is used`,
  costEstimate: 'An estimate: with the CLI’s own login nothing is charged by use.',
  costOfDemo: 'Cost: nothing, the demo model answers',
  estimateShort: 'estimate',
  demoCost: 'demo',

  mcpLabel: (summary: string) => `MCP servers: ${summary}`,
  mcpFailed: (failed: number) => `${failed} failed`,
  mcpSummary: (connected: number, failed: number, pending: number) =>
    [`${connected} connected`, failed > 0 ? `${failed} failed` : '', pending > 0 ? `${pending} starting` : '']
      .filter((part) => part !== '')
      .join(', '),
  mcpDialog: 'What this session has',
  mcpDialogHint: 'MCP servers of this session, where they come from, and why some are not used.',
  mcpPage: 'All MCP servers',

  inUse:
    'A claude in a terminal works on this conversation. Two at once would spoil it: fork it to go on here.',
  forkInstead: 'Fork instead',
  demo: 'The demo model answers here: it follows simple rules and costs nothing.',
  unattended: 'Nobody is asked in this session: what no rule allows is denied at once.',
  folder: {
    unconfirmed:
      'This session works outside of any workspace. Until you confirm its folder, every tool call asks:',
    confirm: 'Confirm the folder',
    needsApprove: 'To confirm it, this browser needs a token with the right “Approve”.',
  },
  paused: 'Paused: tool calls and messages wait.',
  interruptedByRestart: 'The server was restarted while the agent worked. Send a message to go on.',
  unconfirmed:
    'The server stopped while this message was on its way. It may or may not have reached the agent.',
  unconfirmedRun: 'Send it again',
  unconfirmedDrop: 'Drop it',

  list: 'Conversation',
  empty: 'Nothing has been said yet.',
  beginning: 'The beginning of the conversation',
  loadingOlder: 'Loading older messages…',
  olderFailed: (fault: string) => `Older messages could not be loaded: ${fault}`,
  newMessages: (count: number) =>
    count === 0 ? 'To the end' : count === 1 ? '1 new message' : `${count} new messages`,
  newCount: (count: number) => (count > 99 ? '99+' : `${count}`),
  notFound: 'That message was not found in this conversation.',

  you: 'You',
  agent: 'Agent',
  messageMenu: 'What to do with this message',
  copyMessage: 'Copy the message',
  copyMessageLink: 'Copy a link to here',
  forkHere: 'Fork from here',
  rewind: 'Rewind files to before this…',
  rewindTitle: 'Rewind files?',
  rewindNothing: 'No file has changed since then.',
  rewindFiles: (count: number) => (count === 1 ? 'One file goes back:' : `${count} files go back:`),
  rewindLines: (insertions: number, deletions: number) => `${insertions} lines come, ${deletions} lines go.`,
  rewindNote: 'The conversation stays as it is. What commands did is not undone.',
  rewindAction: 'Rewind',
  rewindDone: 'The files are back as they were.',
  rewindCannot: (reason: string) => `This cannot be done: ${reason}`,
  rewindCannotPlain: 'Files cannot be rewound to this message.',
  document: 'Document',
  image: (name: string) => `Image ${name}`,
  imageOmitted: 'A file that is too large to show',
  showLeftOutImage: 'Show the image',
  unnamed: 'without a name',
  showAll: 'Show all',
  showLess: 'Show less',
  synthetic: 'Written by the CLI',
  syntheticSummary: 'Summary of the conversation so far',
  syntheticCommand: (name: string) => `Command ${name}`,
  syntheticOutput: 'Output of a command',
  syntheticReminder: 'A note to the agent',
  syntheticTask: 'Background work has news',

  thinking: 'Thinking…',
  thought: 'Thought',
  thoughtFor: (duration: string) => `Thought for ${duration}`,

  workingVerbs: {
    starting: 'Starting',
    thinking: 'Thinking',
    writing: 'Writing',
    waiting: 'Waiting for you',
    working: 'Working',
  },
  workingOn: (verb: string) => `${verb}…`,
  workingBackground: (count: number) =>
    count === 1 ? 'One task runs in the background' : `${count} tasks run in the background`,
  stopHint: 'Esc stops',

  outcomes: {
    completed: 'Done',
    interrupted: 'Interrupted',
    failed: 'Failed',
    max_turns: 'Stopped: the most steps for one turn were reached',
    budget: 'Stopped: the budget is used up',
    structured_output_failed: 'Failed: the answer did not have the form that was asked for',
    joined: 'Taken into the turn that was running',
    withdrawn: 'Message taken back',
    unconfirmed: 'Not known whether it was received',
  },
  allDenied: 'Done, but nothing that it wanted to do was allowed',
  tokens: (input: string, output: string) => `${input} in, ${output} out`,
  tokensTitle: (input: string, output: string, read: string, write: string) =>
    `Tokens: ${input} in, ${output} out, ${read} read from the cache, ${write} written to it`,
  took: (duration: string) => `Took ${duration}`,

  compacted: 'The conversation so far was summarised to make room',
  compactedFrom: (tokens: string) => `It had ${tokens} tokens.`,
  compactedByHand: 'As asked with /compact.',
  retrying: (attempt: number, most: number | undefined) =>
    most === undefined
      ? `The model did not answer: try ${attempt}`
      : `The model did not answer: try ${attempt} of ${most}`,
  retryIn: (duration: string) => `in ${duration}`,
  retried: 'tried again',
  statusCode: (status: number) => `status ${status}`,
  rateLimited: 'The model’s limit is reached',
  rateLimitNear: 'The model’s limit is near',
  rateLimitUsed: (percent: number) => `${percent}% used`,
  rateLimitResets: (time: string) => `Free again at ${time}`,
  rateLimitKinds: {
    five_hour: 'five hours’ limit',
    seven_day: 'weekly limit',
    seven_day_opus: 'weekly limit for Opus',
    seven_day_sonnet: 'weekly limit for Sonnet',
    overage: 'extra use',
  },
  /** Of turns that nobody's message began. */
  woken: {
    background: 'Background work ended, and the agent goes on',
    schedule: 'A schedule began this turn',
    run: 'A run began this turn',
    workflow: 'A workflow began this turn',
    recovery: 'What was cut off is taken up again',
  },
  takenOver: 'A new process continues the session',

  todos: 'To do',
  todosProgress: (done: number, all: number) => `${done} of ${all} done`,
  todosShort: (done: number, all: number) => `${done}/${all}`,
  todoStates: { completed: 'done', in_progress: 'in progress', pending: 'open' },

  saysDone: 'The agent is done.',
  saysEnded: (outcome: string) => `The turn has ended: ${outcome}.`,
  saysNeedsYou: (what: string) =>
    /[.?!…]$/.test(what) ? `The agent needs you: ${what}` : `The agent needs you: ${what}.`,
  saysAgent: (words: string) => `Agent: ${words}`,
}
