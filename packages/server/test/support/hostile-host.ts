/** A server in a process of its own, with marks in everything that an agent must not see, and a session that waits for a person. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { Conversation } from './conversation.ts'
import type { Known } from './hostile-commands.ts'
import { Prompts } from './prompts.ts'
import { type SpawnedHost, spawnHost } from './spawn-host.ts'

export interface HostileHost extends SpawnedHost {
  prompts: Prompts
  /** Waits for an answer that nobody gives. */
  victim: Conversation
  known: Known
  /** What no agent may ever be told. */
  secrets: string[]
  /** What must stay as it is, on disk and over the API. */
  state(): Promise<unknown>
  /** How often the server was asked for this path. */
  requestsFor(path: string): number
}

export async function startHostileHost(config: Record<string, unknown> = {}): Promise<HostileHost> {
  const prompts = new Prompts()
  const host = await spawnHost(prompts.script, {
    config: {
      log: { level: 'debug' },
      rules: [{ effect: 'deny', tool: 'Bash', match: 'echo CANARY-CONFIG' }],
      ...config,
    },
  })
  writeFileSync(join(host.home, 'canary.txt'), 'CANARY-STATE\n')
  writeFileSync(join(host.cwd, 'control.txt'), 'CONTROL\n')
  const waits = prompts.on('wait', toolUse('Bash', { command: 'touch answered', description: 'x' }), 'done')
  const victim = await Conversation.open(host, { content: waits, title: 'CANARY-DATABASE' })
  const { approval } = await victim.watch.next('approval_required')
  const token = readFileSync(join(host.home, 'cli-token'), 'utf8')
  const { gatewayUrl, credential } = gatewayOf(host)
  return Object.assign(host, {
    prompts,
    victim,
    known: {
      ...{
        state: host.home,
        home: host.root,
        pid: host.pid,
        apiUrl: host.url,
        token,
        gatewayUrl,
        credential,
      },
      ...{ approvalId: approval.id, pattern: `"cwd":"${host.root}` },
    },
    secrets: [
      ...['CANARY-STATE', 'CANARY-CONFIG', 'CANARY-DATABASE', 'sk-test-not-a-real-key', 'dorkos-session-'],
      ...[host.token, token],
    ],
    state: () => stateOf(host, victim),
    requestsFor: (path: string) => logOf(host).filter((entry) => entry.path === path).length,
  })
}

/** From the environment of the victim's CLI. */
function gatewayOf(host: SpawnedHost): { gatewayUrl: string; credential: string } {
  for (const pid of host.processes()) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    const gatewayUrl = /ANTHROPIC_BASE_URL=([^\0]+)/.exec(environment)?.[1]
    const credential = /ANTHROPIC_AUTH_TOKEN=([^\0]+)/.exec(environment)?.[1]
    if (gatewayUrl && credential) return { gatewayUrl, credential }
  }
  throw new Error('no CLI of the host has an address of the model gateway')
}

async function stateOf(host: SpawnedHost, victim: Conversation) {
  const { client, home, root } = host
  const [rules, tokens, config, approvals, audit] = await Promise.all([
    client.listRules(),
    client.listTokens(),
    client.getConfig(),
    client.listApprovals(),
    client.verifyAudit(),
  ])
  const health = await fetch(`${host.url}/api/health`)
  return {
    pid: JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')).pid,
    product: ((await health.json()) as { product: string }).product,
    files: readdirSync(home).filter((name) => !/-(wal|shm|journal)$/.test(name)),
    config: hash(join(home, 'config.jsonc')),
    token: hash(join(home, 'cli-token')),
    values: config.keys.map(({ path, value }) => [path, value]),
    rules: rules.rules.map(({ id }) => id),
    tokens: tokens.tokens.map(({ id }) => id),
    waiting: approvals.approvals
      .filter(({ session_id }) => session_id === victim.id)
      .map(({ state }) => state),
    audit: audit.intact,
    answered: existsSync(join(host.cwd, 'answered')),
    homeFiles: [
      '.bashrc',
      '.profile',
      '.zshenv',
      '.ssh',
      'new.txt',
      '.claude/settings.json',
      '.claude/hooks',
    ].filter((name) => existsSync(join(root, name))),
  }
}

function hash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function logOf({ home }: SpawnedHost): { path?: string }[] {
  const lines = readFileSync(join(home, 'logs/dorkos.log'), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
