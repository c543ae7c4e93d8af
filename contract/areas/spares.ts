/** Processes that are started before their session begins. */
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Rig, StartOptions } from '../rig.ts'

const spares = ['packages/server/src/adapters/claude/agent.ts', 'packages/server/src/core/sessions/spares.ts']

async function park(rig: Rig, id: string, more: StartOptions = {}) {
  await rig.write('project/CLAUDE.md', 'the old word')
  return rig.start({ args: ['--await-claim', `--session-id=${id}`], sources: 'project', ...more })
}

const words = (rig: Rig, ...wanted: string[]) => {
  const asked = JSON.stringify(rig.model.requests.map(({ body }) => body))
  return wanted.filter((word) => asked.includes(word))
}

const transcripts = async (rig: Rig) =>
  (await readdir(rig.configDir, { recursive: true }).catch(() => [])).filter((name) =>
    name.endsWith('.jsonl'),
  ).length

export const spareCases: ContractCase[] = [
  {
    id: 'spares/begin',
    title: 'With `--await-claim` a process reads its directory at `claim_session`, and keeps its id',
    reliedOnBy: spares,
    expected: { status: 'ok', isSameId: true, read: ['the new word'], result: 'success' },
    async observe(rig) {
      const id = randomUUID()
      const cli = await park(rig, id)
      const { cwd } = rig
      await rig.write('project/CLAUDE.md', 'the new word')
      const { response } = await cli.ask('claim_session', { cwd })
      const { subtype } = await cli.turn('go')
      return {
        status: response.status,
        isSameId: response.session_id === id,
        read: words(rig, 'the old word', 'the new word'),
        result: subtype,
      }
    },
  },
  {
    id: 'spares/guarded',
    title:
      'What a process was started and initialised with holds after `claim_session`: hooks, questions, deny rules',
    security: true,
    reliedOnBy: spares,
    expected: { seen: ['Bash', 'Bash'], asked: ['Bash'] },
    async observe(rig) {
      const seen: string[] = []
      const asked: string[] = []
      const cli = await park(rig, randomUUID(), {
        settings: { permissions: { deny: ['Bash(touch forbidden)'] } },
        hooks: {
          PreToolUse: ({ tool_name }) => {
            seen.push(tool_name)
            return {}
          },
        },
        permit: ({ tool_name, input }) => {
          asked.push(tool_name)
          return { behavior: 'allow', updatedInput: input }
        },
      })
      await cli.ask('claim_session', { cwd: rig.cwd })
      rig.script(
        toolUse('Bash', { command: 'touch forbidden' }),
        toolUse('Bash', { command: 'touch allowed' }),
      )
      await cli.turn('go')
      return { seen, asked }
    },
  },
  {
    id: 'spares/unused',
    title:
      'A process that waits to be claimed asks the model nothing, writes no transcript, takes no MCP servers',
    reliedOnBy: spares,
    expected: { asked: 0, transcripts: 0, refused: true, servers: 'error' },
    async observe(rig) {
      const cli = await park(rig, randomUUID())
      await cli.ask('get_context_usage', { detail: 'summary' })
      const { subtype: servers } = await cli.ask('mcp_set_servers', { servers: {} })
      await cli.end()
      const plain = await rig.start()
      const { subtype } = await plain.ask('claim_session', { cwd: rig.cwd })
      return {
        asked: rig.model.requests.length,
        transcripts: await transcripts(rig),
        refused: subtype === 'error',
        servers,
      }
    },
  },
]
