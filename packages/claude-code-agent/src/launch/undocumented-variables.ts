/**
 * Variables by which the CLI is steered, or which it sets, and that no document names, or not for what we rely on. Each stands here and nowhere
 * else, with the case of the contract suite that shows what it does (`npm run contract`, docs/contract.md): a new version of the CLI can drop any
 * of them without a word.
 */
export const undocumentedVariables = {
  /** The CLI reports its state (`session_state_changed`). */
  readsSessionState: {
    name: 'CLAUDE_CODE_SDK_READS_SESSION_STATE',
    shownBy: 'variables/session-state',
  },
  /** Who starts the CLI, as it reports it to the model's API. */
  entrypoint: { name: 'CLAUDE_CODE_ENTRYPOINT', shownBy: 'variables/entrypoint' },
  hostVersion: { name: 'CLAUDE_AGENT_SDK_VERSION', shownBy: 'variables/entrypoint' },
  /** Files are kept as they were at each message, for `rewind_files`. */
  fileCheckpoints: {
    name: 'CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING',
    shownBy: 'transcripts/checkpoints',
  },
  /** The form of previews in the options of `AskUserQuestion`. */
  questionPreview: { name: 'CLAUDE_CODE_QUESTION_PREVIEW_FORMAT', shownBy: 'variables/question-preview' },
  /** The port of an editor around this program: not for a CLI that a program drives. */
  editorPort: { name: 'CLAUDE_CODE_SSE_PORT', shownBy: 'variables/editor-port' },
  /** A call that a crash cut off is shown to the model on resume, its outcome unknown. */
  showsCutOffCalls: {
    name: 'CLAUDE_CODE_RESUME_SHOWS_CUT_OFF_CALLS',
    shownBy: 'transcripts/cut-off-call',
  },
  /** A turn that a crash cut off goes on by itself on resume, without anybody having said so. */
  resumesCutOffTurn: {
    name: 'CLAUDE_CODE_RESUME_INTERRUPTED_TURN',
    shownBy: 'background/cut-off-turn',
  },
  /** The root user may use `bypassPermissions`: the CLI is contained. */
  contained: { name: 'IS_SANDBOX', shownBy: 'launch/bypass-as-root' },
  /** Tools for a list of tasks, also without a terminal. */
  todoTools: { name: 'CLAUDE_CODE_ENABLE_TODO_TOOLS', shownBy: 'variables/todo-tools' },
  /** Documented, but not that commands do not get the credential. */
  providerManaged: {
    name: 'CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST',
    shownBy: 'variables/provider-managed',
  },
  /** Documented, but not that a project's file is obeyed without it, nor that most of the tools stay with it. */
  scheduledTasksOff: { name: 'CLAUDE_CODE_DISABLE_CRON', shownBy: 'background/scheduled-off' },
  /** Files that a message mentions are named to the model, and not read. */
  mentionsOff: { name: 'CLAUDE_CODE_DISABLE_FILE_MENTIONS', shownBy: 'variables/mentions' },
  /** What the CLI would read of its folder by itself besides, without a tool call: memory, what git says. */
  memoryOff: { name: 'CLAUDE_CODE_DISABLE_CLAUDE_MDS', shownBy: 'variables/reads-nothing' },
  gitOff: { name: 'CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS', shownBy: 'variables/reads-nothing' },
  /** The model's API behind a socket of this machine. */
  modelSocket: { name: 'ANTHROPIC_UNIX_SOCKET', shownBy: 'variables/model-socket' },
  /** The CLI sets them for its commands: by these one session speaks to another. */
  messagingSocket: { name: 'CLAUDE_CODE_MESSAGING_SOCKET', shownBy: 'sandbox/variables' },
  messagingToken: { name: 'CLAUDE_CODE_MESSAGING_TOKEN', shownBy: 'sandbox/variables' },
} as const satisfies Record<string, { name: string; shownBy: string }>
