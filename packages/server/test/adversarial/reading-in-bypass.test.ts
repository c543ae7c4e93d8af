/**
 * What can be read where nobody is asked: the same by the file tools and by commands in the sandbox. What is closed is closed to
 * both; any other file of the owner's is open to both.
 */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type ScriptedModel, startScriptedModel } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Call, HostileAgent } from '../support/hostile-agent.ts'
import { type HostileHost, startHostileHost } from '../support/hostile-host.ts'
import { Prompts } from '../support/prompts.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { type SpawnedHost, spawnHost } from '../support/spawn-host.ts'

const minutes = 60_000
/** Below the owner's home, where the tests' state folder is too. */
const closed = [
  'state/canary.txt',
  '.claude/.credentials.json',
  '.claude/settings.json',
  '.claude.json',
  '.claude/file-history/copy',
  '.claude/daemon/key',
  '.claude/ide/lock',
]
const open = [
  'notes.txt',
  '.ssh/id_test',
  '.config/tool/token',
  '.claude/projects/other/said.jsonl',
  'elsewhere/a.txt',
]
/** Of the cloud that provides the model. */
const closedOfCloud = ['.azure/msal_token_cache.json', '.azure/deeper/key']
const contentOf = (name: string) => (name.endsWith('.json') ? `{"x":"MARK-${name}"}` : `MARK-${name}`)

interface Reader {
  readonly root: string
  readonly agent: HostileAgent
}

function leave({ root, cwd }: Pick<SpawnedHost, 'root' | 'cwd'>, names: readonly string[]): void {
  for (const name of names) {
    const path = resolve(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contentOf(name))
  }
  // The CLI holds its rules against the names in a command too: this one does not tell what it does with them.
  writeFileSync(join(cwd, 'show'), '#!/bin/sh\ncat "$1"\n')
  chmodSync(join(cwd, 'show'), 0o755)
}

/** Those whose content came back. */
async function readBy(
  { root, agent }: Reader,
  names: readonly string[],
  call: (path: string) => Call,
): Promise<string[]> {
  const calls = names.map((name) => call(resolve(root, name)))
  const { results, asked } = await agent.attack({ mode: 'bypassPermissions', calls })
  expect(asked).toEqual([])
  expect(results).toHaveLength(names.length)
  return names.filter((name, index) => results[index]?.text.includes(`MARK-${name}`))
}
const byTool = (file_path: string): Call => ['Read', { file_path }]
const byCommand = (path: string): Call => ['Bash', { command: `./show '${path}'` }]

describe.skipIf(!sandboxHere)('reading, bypassPermissions', () => {
  let host: HostileHost
  let agent: HostileAgent
  const names = [...closed, ...open]
  beforeAll(async () => {
    host = await startHostileHost()
    agent = new HostileAgent(host, host.prompts)
    leave(host, names)
  }, minutes)
  afterAll(() => host?.close(), minutes)

  it(
    'is the same for the file tool and for commands',
    async () => {
      const reader = { root: host.root, agent }
      for (const call of [byTool, byCommand]) expect(await readBy(reader, names, call)).toEqual(open)
    },
    2 * minutes,
  )

  it(
    'of many files at once finds nothing that is closed',
    async () => {
      const calls: Call[] = [
        // Not in the transcripts of this very test.
        ['Bash', { command: `grep -rs --exclude-dir='-*' MARK- '${host.root}'` }],
        ['Grep', { pattern: 'MARK-', path: host.root, output_mode: 'content' }],
        ['Glob', { pattern: '**/*', path: host.home }],
      ]
      const { results } = await agent.attack({ mode: 'bypassPermissions', calls })
      const [command] = results
      for (const name of open) expect(command?.text).toContain(`MARK-${name}`)
      const found = results.map(({ text }) => text).join()
      for (const name of closed) expect(found).not.toContain(`MARK-${name}`)
      expect(found).not.toContain('canary.txt')
    },
    2 * minutes,
  )
})

// The CLI reaches the model itself there, with the cloud's login.
describe.skipIf(!sandboxHere)('reading where a cloud provides the model, bypassPermissions', () => {
  const prompts = new Prompts()
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-cloud-')))
  /** Of the files that its variables name. */
  const named = join(elsewhere, 'client.pem')
  const names = [...closedOfCloud, named, ...open]
  let model: ScriptedModel
  let host: SpawnedHost
  let agent: HostileAgent
  beforeAll(async () => {
    model = await startScriptedModel(prompts.script)
    const env = {
      CLAUDE_CODE_USE_FOUNDRY: '1',
      ANTHROPIC_FOUNDRY_BASE_URL: model.url,
      ANTHROPIC_FOUNDRY_API_KEY: 'MARK-KEY',
      AZURE_CLIENT_CERTIFICATE_PATH: named,
    }
    host = await spawnHost(prompts.script, { env })
    agent = new HostileAgent({ client: host.client, cwd: host.cwd, model }, prompts)
    leave(host, names)
  }, minutes)
  afterAll(async () => {
    await host?.close()
    await model?.close()
    rmSync(elsewhere, { recursive: true, force: true })
  }, minutes)

  it(
    'opens neither its credential files nor its variables, by the file tool or by commands',
    async () => {
      const reader = { root: host.root, agent }
      for (const call of [byTool, byCommand]) expect(await readBy(reader, names, call)).toEqual(open)
      const { known } = await agent.attack({
        mode: 'bypassPermissions',
        calls: [['Bash', { command: 'env' }]],
      })
      expect(known).toContain('PATH=')
      expect(known).not.toContain('MARK-KEY')
      // The CLI itself has it.
      expect(model.requests.at(-1)?.headers['x-api-key']).toBe('MARK-KEY')
    },
    2 * minutes,
  )
})
