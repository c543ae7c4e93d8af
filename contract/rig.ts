/** Where one case runs: a home of its own, a scripted model, and processes of the CLI under test. */
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type ModelRequest,
  type Offline,
  type ScriptedModel,
  type ScriptFunction,
  type Step,
  startOffline,
} from '@dorkos/testkit'
import { Cli, type Frame } from './cli.ts'

export interface StartOptions {
  /** More arguments. */
  args?: readonly string[]
  /** `--settings`: those that the host lays over all files. */
  settings?: Frame
  /** `--setting-sources`. Absent: none. */
  sources?: string
  env?: Record<string, string | undefined>
  /** Who is asked about tools. Absent: the host. */
  prompts?: 'host' | 'nobody'
  /** More fields of `initialize`; false leaves the request out. */
  initialize?: Frame | false
  /** The host's hooks: what each event is answered with. */
  hooks?: Record<string, (input: Frame) => unknown>
  /** What the host answers where it is asked about a tool. Absent: allow. Undefined leaves the question open. */
  permit?: (request: Frame) => unknown
  /** Servers in the host's process: each answers JSON-RPC requests with a result. */
  servers?: Record<string, (message: Frame) => unknown>
  /** Sees every request before it is answered. */
  onRequest?: (request: Frame, requestId: string) => void
  cwd?: string
  /** A folder below the home that holds the machine's policy: `managed-settings.json`, and `managed-settings.d`. */
  policy?: string
}

export class Rig {
  readonly #offline: Offline
  readonly #cliPath: string
  readonly #started: Cli[] = []
  readonly #siblings: Rig[] = []
  #steps: Step[] = []
  #answerBy: ScriptFunction = () => 'done'

  private constructor(offline: Offline, cliPath: string) {
    this.#offline = offline
    this.#cliPath = cliPath
  }

  static async open(cliPath: string): Promise<Rig> {
    let rig: Rig | undefined
    const offline = await startOffline((request) => (rig ? rig.#answerModel(request) : 'done'))
    rig = new Rig(offline, cliPath)
    return rig
  }

  /** Another place like this one, for a comparison. Closed with this one. */
  async sibling(): Promise<Rig> {
    const rig = await Rig.open(this.#cliPath)
    this.#siblings.push(rig)
    return rig
  }

  get model(): ScriptedModel {
    return this.#offline.model
  }

  get home(): string {
    return this.#offline.home
  }

  get cwd(): string {
    return this.#offline.cwd
  }

  get configDir(): string {
    return this.#offline.configDir
  }

  /** The model's next answers, one for each request; those that are left of before are gone. Then it says `done`. */
  script(...steps: Step[]): void {
    this.#steps = [...steps]
  }

  /** The model's answers by what it is asked, once no steps are left. */
  scriptBy(answer: ScriptFunction): void {
    this.#answerBy = answer
  }

  /** What an agent asked the model, the CLI's own side questions left out. */
  get asked(): ModelRequest[] {
    return this.model.requests.filter((request) => request.kind !== 'side')
  }

  #answerModel(request: ModelRequest): Step | Promise<Step> {
    return this.#steps.shift() ?? this.#answerBy(request)
  }

  /** Writes a file below the home: text as it is, else as JSON. Gives its path. */
  async write(path: string, content: unknown): Promise<string> {
    const file = join(this.home, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }

  /** A program that leaves a file of this name in the home and prints what it is told to. Gives its path. */
  async marker(name: string, output: unknown = ''): Promise<string> {
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    const lines = ['#!/bin/sh', `touch '${this.home}/${name}'`, `printf '%s' '${text}'`]
    const file = await this.write(`bin/${name}.sh`, `${lines.join('\n')}\n`)
    await chmod(file, 0o755)
    return file
  }

  /** A symbolic link at `path` to `target`, both below the home. */
  async link(target: string, path: string): Promise<void> {
    await symlink(join(this.home, target), join(this.home, path))
  }

  async remove(...paths: string[]): Promise<void> {
    for (const path of paths) await rm(join(this.home, path), { recursive: true, force: true })
  }

  has(path: string): boolean {
    return existsSync(join(this.home, path))
  }

  /** Which of these are there. */
  which(...paths: string[]): string[] {
    return paths.filter((path) => this.has(path))
  }

  /** What is in a folder. */
  async list(path: string): Promise<string[]> {
    return (await readdir(join(this.home, path))).sort()
  }

  async read(path: string): Promise<string> {
    return await readFile(join(this.home, path), 'utf8')
  }

  readNow(path: string): string {
    return readFileSync(join(this.home, path), 'utf8')
  }

  /** For what the CLI does not announce. Gives whether it came; a shorter patience is for what must not come. */
  async poll(holds: () => boolean, ms = 30_000): Promise<boolean> {
    for (const limit = Date.now() + ms; Date.now() < limit; await delay(25)) if (holds()) return true
    return holds()
  }

  /** Starts the CLI and, unless told otherwise, waits for its answer to `initialize`. */
  async start(options: StartOptions = {}): Promise<Cli> {
    const cli = this.spawn(argumentsOf(options), options)
    if (options.initialize === false) return cli
    const answer = await cli.ask('initialize', initializeOf(options))
    if (answer.subtype !== 'success') throw new Error(`initialize was refused: ${answer.error}`)
    return cli
  }

  /** Starts the CLI with these arguments alone. */
  spawn(args: readonly string[], options: StartOptions = {}): Cli {
    const env = { ...this.#offline.env, CLAUDE_CODE_SDK_READS_SESSION_STATE: '1', ...options.env }
    const present = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const { policy } = options
    const [path = '', ...before] =
      policy === undefined ? [this.#cliPath] : [...withPolicy(join(this.home, policy)), this.#cliPath]
    const cli = new Cli({
      path,
      args: [...before, ...args],
      env: Object.fromEntries(present),
      cwd: options.cwd ?? this.cwd,
      answer: (request, id) => answerOf(options, request, id),
    })
    this.#started.push(cli)
    return cli
  }

  async close(): Promise<void> {
    for (const rig of this.#siblings) await rig.close()
    for (const cli of this.#started) await cli.kill()
    await this.#offline.dispose()
  }
}

/** The beginning of a command that finds this policy, and no other file of `/etc`. The machine's own `/etc` is not touched. */
function withPolicy(folder: string): string[] {
  const policy = ['--tmpfs', '/etc', '--ro-bind', folder, '/etc/claude-code']
  return ['bwrap', '--die-with-parent', '--dev-bind', '/', '/', ...policy, '--']
}

export const streamArguments = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
]

function argumentsOf({ args = [], settings, sources = '', prompts = 'host' }: StartOptions): string[] {
  return [
    ...streamArguments,
    ...(prompts === 'host' ? ['--permission-prompt-tool=stdio'] : []),
    `--setting-sources=${sources}`,
    ...(settings === undefined ? [] : [`--settings=${JSON.stringify(settings)}`]),
    ...args,
  ]
}

function initializeOf({ initialize, hooks = {}, servers = {} }: StartOptions): Frame {
  const matchers = Object.keys(hooks).map((event) => [event, [{ hookCallbackIds: [event] }]])
  return {
    ...(matchers.length > 0 && { hooks: Object.fromEntries(matchers) }),
    ...(Object.keys(servers).length > 0 && { sdkMcpServers: Object.keys(servers) }),
    ...initialize,
  }
}

function hookAnswer({ hooks = {} }: StartOptions, request: Frame): unknown {
  const answer = hooks[request.callback_id]
  return answer ? answer(request.input) : {}
}

function answerOf(options: StartOptions, request: Frame, id: string): unknown {
  options.onRequest?.(request, id)
  switch (request.subtype) {
    case 'can_use_tool':
      return options.permit ? options.permit(request) : { behavior: 'allow', updatedInput: request.input }
    case 'hook_callback':
      return hookAnswer(options, request)
    case 'mcp_message': {
      const result = options.servers?.[request.server_name]?.(request.message)
      return result === undefined
        ? undefined
        : { mcp_response: { jsonrpc: '2.0', id: request.message.id ?? 0, result } }
    }
    default:
      return undefined
  }
}
