/** What the log says when a session starts: where its servers come from, who is left out and why, and how they do. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connect, mainWorkspace, offering, put, server, trust } from '../support/mcp-servers.ts'
import { useHost } from '../support/use-host.ts'

const used = useHost()

it('has the sources in sections, then a line of health for each', async () => {
  const { host } = used
  const config = put(join(host.home, 'config.jsonc'), {
    mcpServers: {
      configured: offering('hello'),
      missing: { command: 'no-such-program-at-all' },
      left: server({}, { passthrough: true }),
      boxed: offering('hello', { modes: ['container'] }),
      asleep: offering('hello', { disabled: true }),
    },
  })
  const claude = put(join(host.root, '.claude.json'), {
    mcpServers: { user: offering('hello'), configured: offering('other') },
  })
  const settings = put(join(host.root, '.claude', 'settings.json'), {
    mcpServers: { old: offering('hello'), bad: {} },
  })
  const project = put(join(host.cwd, '.mcp.json'), { mcpServers: { theirs: offering('hello') } })
  await trust(host, (await mainWorkspace(host)).id)
  await connect(host, ['configured', 'user', 'old', 'theirs', 'missing'])
  const session = await used.start(['ok'])
  await session.endOf(1)

  const lines = () =>
    readFileSync(host.server.logFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes(session.id))
      .map((line) => String(JSON.parse(line).msg))
  await expect.poll(() => lines().at(-1), { timeout: 50_000 }).toBe('5 of 6 connected, 1 disabled')
  const text = lines().map((line) => line.replace(/:\d+(?=[):])/g, ':<line>').replace(/\d+ ms/, '<ms>'))
  const from = (name: string, scope: string, file: string) => `  ${name} (${scope}: ${file}:<line>)`
  const oldWords = 'settings.json, which Claude Code itself does not read'
  expect(text.slice(text.indexOf('Configured (DorkOS):'))).toEqual([
    'Configured (DorkOS):',
    from('configured', 'DorkOS', config),
    from('missing', 'DorkOS', config),
    `${from('left', 'DorkOS', config)}, left to Claude Code`,
    'Global:',
    from('user', 'user', claude),
    from('old', oldWords, settings),
    'Project:',
    from('theirs', 'project', project),
    'Overridden:',
    `${from('configured', 'user', claude)} by ${from('configured', 'DorkOS', config).trim()}`,
    'Filtered out:',
    `${from('boxed', 'DorkOS', config)}: It’s configured for workspaces in mode container, and this one is in mode host.`,
    `${from('asleep', 'DorkOS', config)}: It’s disabled in DorkOS’s configuration.`,
    'Faults:',
    expect.stringMatching(/^ {2}bad \(.*settings\.json:<line>\): bad: command is missing/),
    '[OK] configured: 1 tool, <ms>',
    expect.stringMatching(/^\[FAILED\] missing: .*no-such-program-at-all/),
    '[OK] left: 1 tool',
    '[OK] theirs: 1 tool, <ms>',
    '[OK] user: 1 tool, <ms>',
    '[OK] old: 1 tool, <ms>',
    '[DISABLED] asleep',
    '5 of 6 connected, 1 disabled',
  ])
})
