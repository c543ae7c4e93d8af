/** What a trusted workspace runs is not for its agents to write: nobody looks at it again before it runs. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Call, HostileAgent, script } from '../support/hostile-agent.ts'
import { type MarkedWorkspace, markedWorkspace, promptHooks, putMarked } from '../support/marked-workspace.ts'
import { sandboxHere } from '../support/sandbox-here.ts'
import { useHost } from '../support/use-host.ts'

const minutes = 60_000
const used = useHost()
const workspaceWith = (files: Record<string, unknown>, trusted = false) =>
  markedWorkspace(used.host, files, trusted)
const look = (id: string) => used.host.client.getWorkspaceTrust({ params: { id } })

describe('an agent in a trusted workspace', () => {
  const files = {
    '.claude/settings.json': { hooks: promptHooks('"$CLAUDE_PROJECT_DIR"/scripts/deep/check.sh') },
    '.claude/rules/r.md': 'x',
    '.mcp.json': { mcpServers: { one: { command: 'node', args: ['server [1].mjs'] } } },
    'scripts/deep/check.sh': '#!/bin/sh\ntouch MARKS/own\n',
    'server [1].mjs': 'process.exit()\n',
    'free.txt': 'x',
  }

  describe('whose hooks and servers run scripts of it', () => {
    let place: MarkedWorkspace
    let agent: HostileAgent
    beforeAll(async () => {
      place = await workspaceWith(files, true)
      agent = new HostileAgent({ ...used.host, cwd: place.path }, used.prompts, place.id)
    })
    afterAll(() => agent.close())

    it(
      'does not write what a hook or a server would run, with its file tools in bypassPermissions',
      async () => {
        const { id, path } = place
        const write = (name: string): Call => ['Write', { file_path: join(path, name), content: 'hostile' }]
        const edit: Call = [
          'Edit',
          { file_path: join(path, 'scripts/deep/check.sh'), old_string: 'touch', new_string: 'rm' },
        ]
        const names = [
          'scripts/deep/check.sh',
          'server [1].mjs',
          '.claude/rules/r.md',
          '.claude/settings.json',
        ]
        const reads = [...names, 'free.txt'].map((name): Call => ['Read', { file_path: join(path, name) }])
        const calls = [...reads, ...names.map(write), edit, write('free.txt')]
        const { results } = await agent.attack({ mode: 'bypassPermissions', calls })
        const written = results.slice(reads.length).map(({ isError }) => !isError)
        expect(written).toEqual([...names.map(() => false), false, true])
        expect(readFileSync(join(path, 'free.txt'), 'utf8')).toBe('hostile')
        expect(await look(id)).toMatchObject({ state: 'trusted' })
      },
      3 * minutes,
    )

    it.skipIf(!sandboxHere)(
      'nor with sandboxed commands, by whatever name',
      async () => {
        const { id, path, marks } = place
        const attempts = [
          'echo hostile > scripts/deep/check.sh',
          'rm -f scripts/deep/check.sh',
          'mv scripts/deep scripts/moved; mkdir -p scripts/deep; echo hostile > scripts/deep/check.sh',
          'mv scripts elsewhere; mkdir -p scripts/deep; echo hostile > scripts/deep/check.sh',
          'rm -rf scripts',
          'cp free.txt tmp; mv -f tmp scripts/deep/check.sh',
          'ln -sf /tmp scripts/deep',
          "echo hostile > 'server [1].mjs'",
          'echo hostile > .claude/rules/r.md',
          'echo hostile > .claude/settings.json',
          'mkdir -p .claude/agents && echo hostile > .claude/agents/new.md',
          'echo fine > free.txt; echo fine > scripts/new.sh; echo fine > scripts/deep/new.sh',
        ]
        const calls = [script({ cwd: path }, 'attempts.sh', attempts.map((line) => `( ${line} )`).join('\n'))]
        const { results } = await agent.attack({ mode: 'bypassPermissions', calls })
        rmSync(join(marks, 'own'))
        await agent.attack({ mode: 'bypassPermissions', calls: [] })
        expect(readFileSync(join(path, 'scripts/deep/check.sh'), 'utf8')).toContain('touch')
        expect(readFileSync(join(path, 'server [1].mjs'), 'utf8')).toContain('process.exit')
        expect(existsSync(join(path, '.claude/agents/new.md'))).toBe(false)
        for (const name of ['free.txt', 'scripts/new.sh', 'scripts/deep/new.sh'])
          expect(readFileSync(join(path, name), 'utf8'), results[0]?.text).toBe('fine\n')
        expect(readdirSync(marks)).toEqual(['own'])
        expect(await look(id)).toMatchObject({ state: 'trusted' })
      },
      3 * minutes,
    )

    it(
      'has nothing of a script that was changed all the same: the hook runs no more',
      async () => {
        const { id, path, marks } = place
        await agent.attack({ mode: 'default', calls: [] })
        expect(readdirSync(marks)).toEqual(['own'])
        putMarked(path, 'scripts/deep/check.sh', '#!/bin/sh\ntouch MARKS/hostile\n', marks)
        rmSync(join(marks, 'own'))
        await agent.attack({ mode: 'default', calls: [] })
        expect(readdirSync(marks)).toEqual([])
        const { state, changes } = await look(id)
        expect(state).toBe('changed')
        expect(changes).toMatchObject([
          {
            kind: 'script',
            path: 'scripts/deep/check.sh',
            change: 'changed',
            diff: expect.stringContaining('/hostile'),
          },
        ])
      },
      3 * minutes,
    )
  })

  it.skipIf(!sandboxHere)(
    'does not make a script that a hook names and that is not there, and nothing stays in its place',
    async () => {
      const names = ['scripts/deep/late.sh', 'not-there/late', 'late.mjs']
      const command = `sh ./${names[0]}; sh ./${names[1]}; node "$(git rev-parse --show-toplevel)"${names[2]}; true`
      const { UserPromptSubmit: matchers } = promptHooks(command)
      const { id, path, marks } = await workspaceWith(
        { ...files, '.claude/settings.json': { hooks: { PreToolUse: matchers, PostToolUse: matchers } } },
        true,
      )
      const agent = new HostileAgent({ ...used.host, cwd: path }, used.prompts, id)
      const hostile = `touch ${marks}/hostile`
      const attempts = [
        ...names.map((name) => `mkdir -p $(dirname ${name}); echo '${hostile}' > ${name}`),
        `echo '${hostile}' > tmp; mv -f tmp ${names[0]}; mv -f tmp ${names[2]}`,
        'mkdir made; echo x > made/late; mv made not-there; ln -s made not-there',
        'echo fine > scripts/deep/new.sh',
      ]
      const calls: Call[] = [
        ...names.map((name): Call => ['Write', { file_path: join(path, name), content: hostile }]),
        script({ cwd: path }, 'attempts.sh', attempts.map((line) => `( ${line} )`).join('\n')),
        ['Write', { file_path: join(path, 'new.txt'), content: 'fine' }],
      ]
      const outcome = await agent.attack({ mode: 'bypassPermissions', calls })
      await agent.attack({ mode: 'bypassPermissions', calls: [] })
      await agent.close()
      expect(outcome.results.map(({ isError }) => isError).toSpliced(3, 1)).toEqual([true, true, true, false])
      expect(readFileSync(join(path, 'scripts/deep/new.sh'), 'utf8'), outcome.results[3]?.text).toBe('fine\n')
      for (const name of names) expect(existsSync(join(path, name)), name).toBe(false)
      expect(readdirSync(marks)).toEqual([])
      expect(await look(id)).toMatchObject({ state: 'trusted' })
    },
    3 * minutes,
  )

  it.skipIf(!sandboxHere)(
    'keeps its trust while a sandboxed command runs, whatever the sandbox puts there for that time',
    async () => {
      const { id, path } = await workspaceWith({}, true)
      const command = 'echo 1 > started; until [ -e go ]; do sleep 0.1; done'
      const bash = toolUse('Bash', { command, description: 'waits' })
      const session = await used.start([bash, 'done'], {
        workspace_id: id,
        permission_mode: 'bypassPermissions',
      })
      await vi.waitUntil(() => existsSync(join(path, 'started')), { timeout: minutes })
      expect(existsSync(join(path, '.claude/settings.json'))).toBe(true)
      const other = await used.start(['done'], { workspace_id: id })
      await other.endOf(1)
      expect(await look(id)).toMatchObject({ state: 'trusted', items: [] })
      const { faults } = await used.host.client.listMcpServers({ query: { workspace_id: id } })
      expect(faults).toEqual([])
      putMarked(path, 'go', '')
      await session.endOf(1)
      const { entries } = await used.host.client.listAudit({ query: { action: 'workspace_trust_lost' } })
      expect(entries.filter(({ detail }) => JSON.stringify(detail).includes(id))).toEqual([])
    },
    3 * minutes,
  )
})
