/** An agent that does what a test tells it: the agent port without a CLI. */
import type { Agent, AgentHandlers, AgentSpec, AgentTurnEnd, LiveAgent } from '../../src/core/ports/agent.ts'

export interface SentMessage {
  id: string
  content: unknown
  delivery: 'queue' | 'steer'
}

export interface FakeLoaded {
  /** Rows of the list of hooks, and what is said with it of the policy. */
  hooks?: unknown[]
  policy?: Record<string, unknown>
  /** Settings that are in force, and those of the machine's policy. */
  effective?: Record<string, unknown>
  byPolicy?: Record<string, unknown>
}

const off = { allDisabled: true, policyHookCount: 0 }

/** One process, driven by hand: its methods are what a CLI would report. */
export class FakeProcess {
  readonly spec: AgentSpec
  readonly handlers: AgentHandlers
  readonly sent: SentMessage[] = []
  isClosed = false
  /** Makes `send` reject. */
  refuses: Error | undefined
  /** What it answers to an interrupt. */
  onInterrupt: LiveAgent['interrupt'] = async () => ({ unread: [] })
  /** What a spare process does when its session begins. */
  onBegin: () => Promise<void> = async () => {}
  /** Keeps `send` waiting. */
  held: Promise<void> | undefined
  readonly #agent: FakeAgent

  constructor(agent: FakeAgent, spec: AgentSpec, handlers: AgentHandlers) {
    this.#agent = agent
    this.spec = spec
    this.handlers = handlers
  }

  begin(...messageIds: string[]): void {
    this.handlers.onTurnStart({ messageIds })
  }

  end(outcome: AgentTurnEnd['outcome'] = 'completed', more: Partial<AgentTurnEnd> = {}): void {
    const result = { type: 'result', subtype: 'success' }
    this.handlers.onTurnEnd({ messageIds: [], outcome, reason: undefined, result, ...more })
  }

  /** Runs a message from begin to end. */
  run(messageId: string): void {
    this.begin(messageId)
    this.end()
  }

  exit(error?: string): void {
    if (this.isClosed) return
    this.isClosed = true
    this.handlers.onExit({ wanted: error === undefined, error })
    this.#agent.notifyWaiters()
  }

  /** The nth message that was sent, counted from 1, now or later. */
  async message(number: number): Promise<SentMessage> {
    await this.#agent.until(() => this.sent.length >= number)
    return this.sent[number - 1] as SentMessage
  }

  live(): LiveAgent {
    const nothing = async () => undefined
    return {
      pid: undefined,
      cliSessionId: this.spec.sessionId,
      begin: async () => this.onBegin(),
      send: async ({ id, content }, delivery) => {
        await this.held
        if (this.refuses || this.isClosed) throw this.refuses ?? new Error('the session is closed')
        this.sent.push({ id, content, delivery })
        this.#agent.notifyWaiters()
      },
      withdraw: async () => false,
      interrupt: async (options) => this.onInterrupt(options),
      stopTask: nothing,
      taskOutput: nothing,
      pause: nothing,
      resume: nothing,
      setModel: nothing,
      setEffort: nothing,
      setPermissionMode: nothing,
      setMcpServers: nothing,
      rename: nothing,
      rewindFiles: async () => ({}),
      contextUsage: async () => ({}),
      usage: async () => ({}),
      capabilities: async () => ({ commands: [], models: [], agents: [], mcpServers: [] }),
      loaded: async () => ({
        hooks: { hooks: this.#agent.loaded.hooks ?? [], policy: { ...off, ...this.#agent.loaded.policy } },
        settings: {
          effective: { ...this.spec.settings, ...this.#agent.loaded.effective },
          sources: [{ source: 'policySettings', settings: this.#agent.loaded.byPolicy }],
        },
      }),
      mcpStatus: async () => [],
      close: async () => this.exit(),
    }
  }
}

export class FakeAgent implements Agent {
  readonly processes: FakeProcess[] = []
  /** What its processes say that they loaded, where it is not what they were given. */
  loaded: FakeLoaded = {}
  /** What the transcripts hold. */
  readonly inTranscript = new Set<string>()
  /** Processes end with this error as soon as they have started. */
  crash: string | undefined
  /** What its processes put to the model by themselves as they start. */
  prompt: string | undefined
  readonly #waiting = new Set<() => void>()

  async open(spec: AgentSpec, handlers: AgentHandlers): Promise<LiveAgent> {
    const process = new FakeProcess(this, spec, handlers)
    this.processes.push(process)
    this.notifyWaiters()
    if (this.crash !== undefined) process.exit(this.crash)
    if (this.prompt !== undefined) handlers.onPrompt(this.prompt)
    return process.live()
  }

  /** The nth process, counted from 1, now or later. */
  async process(number: number): Promise<FakeProcess> {
    await this.until(() => this.processes.length >= number)
    return this.processes[number - 1] as FakeProcess
  }

  inUseElsewhere = async () => false
  hasTranscript = async () => false
  isTaken = async () => false
  sweep = async () => 0

  async recorded(_cliSessionId: string, messageIds: string[]): Promise<Set<string>> {
    return new Set(messageIds.filter((id) => this.inTranscript.has(id)))
  }

  async close(): Promise<void> {
    for (const process of this.processes) process.exit()
  }

  /** Something happened that a test may wait for. */
  notifyWaiters(): void {
    for (const wake of this.#waiting) wake()
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue())
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake)
          resolve()
        }
        this.#waiting.add(wake)
      })
  }
}
