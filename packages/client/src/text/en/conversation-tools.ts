/** Words of the tool cards: what a tool does, by the forms "will", "does", "did". */
export interface Verb {
  readonly base: string
  readonly doing: string
  readonly done: string
}

const verb = (base: string, doing: string, done: string): Verb => ({ base, doing, done })

export const conversationTools = {
  verbs: {
    run: verb('Run', 'Running', 'Ran'),
    edit: verb('Edit', 'Editing', 'Edited'),
    write: verb('Write', 'Writing', 'Wrote'),
    read: verb('Read', 'Reading', 'Read'),
    search: verb('Search for', 'Searching for', 'Searched for'),
    find: verb('Find files', 'Finding files', 'Found files'),
    list: verb('List', 'Listing', 'Listed'),
    fetch: verb('Fetch', 'Fetching', 'Fetched'),
    searchWeb: verb('Search the web for', 'Searching the web for', 'Searched the web for'),
    ask: verb('Ask', 'Asking', 'Asked'),
    plan: verb('Propose a plan', 'Proposing a plan', 'Proposed a plan'),
    enterPlan: verb('Begin to plan', 'Beginning to plan', 'Began to plan'),
    todo: verb('Update the to-do list', 'Updating the to-do list', 'Updated the to-do list'),
    addTask: verb('Add a task', 'Adding a task', 'Added a task'),
    changeTask: verb('Change a task', 'Changing a task', 'Changed a task'),
    readTasks: verb('Look at the tasks', 'Looking at the tasks', 'Looked at the tasks'),
    delegate: verb('Ask a subagent', 'A subagent works', 'Asked a subagent'),
    output: verb('Read output of', 'Reading output of', 'Read output of'),
    stop: verb('Stop', 'Stopping', 'Stopped'),
    skill: verb('Use the skill', 'Using the skill', 'Used the skill'),
    command: verb('Run the command', 'Running the command', 'Ran the command'),
    message: verb('Send a message to', 'Sending a message to', 'Sent a message to'),
    tools: verb('Look for tools', 'Looking for tools', 'Looked for tools'),
    call: verb('Call', 'Calling', 'Called'),
  },
  toolStates: {
    writing: 'writing',
    waiting: 'waiting for you',
    running: 'running',
    done: 'done',
    failed: 'failed',
    denied: 'denied',
    expired: 'expired',
    void: 'not run',
    interrupted: 'interrupted',
    unknown: 'outcome unknown',
  },
  toolStateHints: {
    expired: 'Nobody answered in time, so it was not run.',
    void: 'The turn ended before anybody answered, so it was not run.',
    interrupted: 'It was stopped before it was done.',
    unknown:
      'The turn ended before its result came: it may have taken effect, or not. The agent is told so when the session goes on.',
  },
  deniedByHook: 'denied by a hook',
  notStarted: 'not started yet',
  notStartedHint: 'It comes after a call that waits for you.',
  askedFor: 'Edited: what the agent asked for',
  inBackground: 'in the background',
  noInput: 'No input',
  inputHeading: 'Input',
  outputHeading: 'Output',
  progressHeading: 'So far',
  omitted: (size: string) => `${size} more were left out: too large to show.`,
  exitCode: (code: number) => `exit code ${code}`,
  lines: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
  linesFrom: (from: number, to: number) => `lines ${from}–${to}`,
  files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  inPath: (path: string) => `in ${path}`,
  edits: (count: number) => (count === 1 ? '1 edit' : `${count} edits`),
  questions: (count: number) => (count === 1 ? 'a question' : `${count} questions`),
  noAnswer: 'No answer',
  subagentPrompt: 'What it was asked',
  subagentResult: 'Its answer',
  showEarlier: (count: number) => `Show ${count} earlier`,
  server: (name: string) => `Server ${name}`,
  groupParts: {
    read: (count: number) => (count === 1 ? 'read 1 file' : `read ${count} files`),
    search: (count: number) => (count === 1 ? 'searched once' : `searched ${count} times`),
    find: (count: number) => (count === 1 ? 'looked for files' : `looked for files ${count} times`),
    list: (count: number) => (count === 1 ? 'listed 1 folder' : `listed ${count} folders`),
    todo: (count: number) =>
      count === 1 ? 'updated the to-do list' : `updated the to-do list ${count} times`,
  },
  groupFailed: (count: number) => `${count} failed`,
  moreResults: (count: number) => `and ${count} more`,
}
