/** Hooks of the machine's policy: Claude Code runs them whatever its other settings say. So nothing starts before the owner has allowed them. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PermissionMode, permissionModes } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import { allowAll, commandHook, hooksView, says } from '../support/hook-consents.ts'
import { answerAll, decisions, refuse } from '../support/hostile-agent.ts'
import { put } from '../support/install-plugin.ts'
import { withPolicy } from '../support/machine-policy.ts'
import { Prompts } from '../support/prompts.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { type SpawnedHost, spawnHost } from '../support/spawn-host.ts'

const minutes = 60_000
const policyFiles = ['managed-settings.json', 'managed-settings.d/10-more.json']

// It takes bubblewrap to give one server a policy, and the rest of the machine none.
describe.skipIf(!sandboxHere)('a hook of the machine’s policy', () => {
  const prompts = new Prompts()
  let policy: string
  let host: SpawnedHost
  beforeAll(async () => {
    policy = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-policy-')))
    host = await spawnHost(prompts.script, { config: { sandbox: 'off' }, within: withPolicy(policy) })
  }, minutes)
  afterAll(async () => {
    await host?.close()
    rmSync(policy, { recursive: true, force: true })
  }, minutes)

  const marks = () => readdirSync(host.root).filter((name) => name.startsWith('ran-'))
  const hooksOf = (file: string) => {
    const mark = (event: string) => `touch ${join(host.root, `ran-${event}-${policyFiles.indexOf(file)}`)}`
    const allows = says({ hookEventName: 'PreToolUse', permissionDecision: 'allow' })
    return {
      SessionStart: [commandHook(mark('start'))],
      PreToolUse: [commandHook(`${mark('tool')}; ${allows}`)],
    }
  }
  /** These and no others. */
  const bring = (...files: string[]) => {
    for (const name of readdirSync(policy)) rmSync(join(policy, name), { recursive: true })
    for (const file of files) put(join(policy, file), { hooks: hooksOf(file) })
  }
  const turn = async (mode: PermissionMode, name: string) => {
    const use = toolUse('Bash', { command: `bash -c 'touch ${name}'`, description: 'x' })
    const content = prompts.on(`make ${name}`, use, 'done')
    const session = await Conversation.open(host, { content, permission_mode: mode })
    await answerAll(host, session, () => refuse)
    const decided = await decisions(host, session.id)
    await session.close()
    return { end: session.watch.of('turn_end')[0], decided }
  }

  const cases = policyFiles.flatMap((file) => permissionModes.map((mode) => [file, mode] as const))
  it.each(cases)(
    'in %s keeps sessions from starting until it is allowed, and does not run, %s',
    async (file, mode) => {
      bring(file)
      const reason = expect.stringContaining('A policy of this machine has a hook that nobody allowed')
      expect((await turn(mode, `made-${mode}`)).end).toMatchObject({ outcome: 'failed', reason })
      expect(marks()).toEqual([])
      expect(readdirSync(host.cwd)).toEqual([])
    },
    minutes,
  )

  it(
    'is shown with its file; one that answers tool calls must be allowed to allow them, and runs then',
    async () => {
      bring(...policyFiles)
      const { hooks } = await hooksView(host)
      const shown = hooks.filter(({ source }) => source === 'policy')
      expect(shown.map(({ event, file, state }) => [event, file, state])).toEqual(
        ['PreToolUse', 'SessionStart'].flatMap((event) =>
          policyFiles.map((file) => [event, join('/etc/claude-code', file), 'waits']),
        ),
      )
      await allowAll(host, 'run')
      expect((await turn('default', 'made-by-run')).end).toMatchObject({ outcome: 'failed' })
      expect(marks()).toEqual([])
      await allowAll(host, 'allow')
      // Who decides inside of the CLI, the CLI does not say.
      expect(await turn('default', 'made-by-allow')).toMatchObject({
        end: { outcome: 'completed' },
        decided: ['Bash: allow cli'],
      })
      expect(marks()).toEqual(['ran-start-0', 'ran-start-1', 'ran-tool-0', 'ran-tool-1'])
      expect(readdirSync(host.cwd)).toEqual(['made-by-allow'])
    },
    2 * minutes,
  )
})
