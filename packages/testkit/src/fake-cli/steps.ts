import type {
  AskStep,
  BackgroundStep,
  CancelAskStep,
  CliStep,
  CrashStep,
  ElicitStep,
  EmitStep,
  FloodStep,
  ForkGrandchildStep,
  GiantStep,
  HangStep,
  HookStep,
  IgnoreTermStep,
  JsonObject,
  JunkKind,
  JunkStep,
  ParallelStep,
  PartialStep,
  ResultStep,
  SayStep,
  SleepBeforeResultStep,
  ToolStep,
  WaitStep,
} from './scenario.ts'

type Fields<S extends CliStep> = Omit<S, 'verb'>

/** Builders for scenario steps: `steps.say('hi')` is `{ verb: 'say', text: 'hi' }`. */
export const steps = {
  say: (text: string, options: Omit<Fields<SayStep>, 'text'> = {}): SayStep => ({
    verb: 'say',
    text,
    ...options,
  }),
  tool: (call: Fields<ToolStep>): ToolStep => ({ verb: 'tool', ...call }),
  /** Several tool calls that are open at the same time. */
  tools: (calls: Fields<ToolStep>[]): ParallelStep => ({
    verb: 'parallel',
    branches: calls.map((call) => [{ verb: 'tool', ...call }]),
  }),
  /** Branches that run at the same time, each a step or a list of steps. */
  parallel: (branches: (CliStep | CliStep[])[]): ParallelStep => ({
    verb: 'parallel',
    branches: branches.map((branch) => (Array.isArray(branch) ? branch : [branch])),
  }),
  ask: (question: Fields<AskStep>): AskStep => ({ verb: 'ask', ...question }),
  cancelAsk: (): CancelAskStep => ({ verb: 'cancel_ask' }),
  hook: (call: Fields<HookStep>): HookStep => ({ verb: 'hook', ...call }),
  elicit: (question: Fields<ElicitStep>): ElicitStep => ({ verb: 'elicit', ...question }),
  wait: (ms: number): WaitStep => ({ verb: 'wait', ms }),
  emit: (message: unknown): EmitStep => ({ verb: 'emit', message }),
  sleepBeforeResult: (ms: number): SleepBeforeResultStep => ({ verb: 'sleep_before_result', ms }),
  result: (fields: JsonObject): ResultStep => ({ verb: 'result', fields }),
  background: (work: Fields<BackgroundStep>): BackgroundStep => ({ verb: 'background', ...work }),
  crash: (how: Fields<CrashStep> = {}): CrashStep => ({ verb: 'crash', ...how }),
  hang: (how: Fields<HangStep> = {}): HangStep => ({ verb: 'hang', ...how }),
  flood: (what: Fields<FloodStep>): FloodStep => ({ verb: 'flood', ...what }),
  partial: (text: string, how: Omit<Fields<PartialStep>, 'text'> = {}): PartialStep => ({
    verb: 'partial',
    text,
    ...how,
  }),
  junk: (kind: JunkKind): JunkStep => ({ verb: 'junk', kind }),
  giant: (size: Fields<GiantStep>): GiantStep => ({ verb: 'giant', ...size }),
  ignoreTerm: (): IgnoreTermStep => ({ verb: 'ignore_term' }),
  forkGrandchild: (how: Fields<ForkGrandchildStep> = {}): ForkGrandchildStep => ({
    verb: 'fork_grandchild',
    ...how,
  }),
}
