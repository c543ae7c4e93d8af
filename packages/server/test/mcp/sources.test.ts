/** Each place that MCP servers may be written in shows in what the model is offered. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Conversation } from '../support/conversation.ts'
import {
  connect,
  installPlugin,
  lastOffer,
  mainWorkspace,
  offering,
  put,
  trust,
} from '../support/mcp-servers.ts'
import { type Host, type HostOptions, startHost } from '../support/start-host.ts'

async function withHost(options: HostOptions, run: (host: Host) => Promise<void>): Promise<void> {
  const host = await startHost(() => 'ok', options)
  try {
    await run(host)
  } finally {
    await host.close()
  }
}

/** What the first request of a new session offers, and what the API says about it. */
async function offerOf(host: Host) {
  const session = await Conversation.open(host, { content: 'hello' })
  await session.endOf(1)
  const list = await host.client.getSessionMcp({ params: session.params })
  await session.close()
  return { offer: lastOffer(host, session), list }
}

const entry = (tool: string) => JSON.stringify(offering(tool))

it('all of them in a trusted main workspace, with file and line', async () => {
  const config = `{
    // The owner's own.
    "mcpServers": {
      "configured": ${entry('from_config')} /* a server */
    }
  }`
  await withHost({ config }, async (host) => {
    const claude = put(join(host.root, '.claude.json'), {
      mcpServers: { user: offering('from_user') },
      projects: { [host.cwd]: { mcpServers: { local: offering('from_local') } } },
    })
    const settings = put(
      join(host.root, '.claude', 'settings.json'),
      `{ "enabledPlugins": { "box@here": true },\n\n "mcpServers": {\n "settings": ${entry('from_settings')} } }`,
    )
    const project = put(
      join(host.cwd, '.mcp.json'),
      `// theirs\n{ "mcpServers": {\n "project": ${entry('from_project')} } }`,
    )
    const plugin = installPlugin(join(host.root, '.claude'), 'box', { helper: offering('from_plugin') })
    await trust(host, (await mainWorkspace(host)).id)
    await connect(host, ['configured', 'local', 'project', 'user', 'settings', 'plugin:box:helper'])
    const { offer, list } = await offerOf(host)
    expect(offer).toEqual([
      'mcp__configured__from_config',
      'mcp__local__from_local',
      'mcp__plugin_box_helper__from_plugin',
      'mcp__project__from_project',
      'mcp__settings__from_settings',
      'mcp__user__from_user',
    ])
    expect(list.faults).toEqual([])
    expect(list.servers.map(({ name, use, source }) => [name, use, source])).toEqual(
      expect.arrayContaining([
        ['configured', 'active', { scope: 'dorkos', file: join(host.home, 'config.jsonc'), line: 4 }],
        ['local', 'active', { scope: 'local', file: claude, line: expect.any(Number) }],
        ['user', 'active', { scope: 'user', file: claude, line: 3 }],
        ['settings', 'active', { scope: 'settings', file: settings, line: 4 }],
        ['project', 'active', { scope: 'project', file: project, line: 3 }],
        [
          'plugin:box:helper',
          'active',
          { scope: 'plugin', file: join(plugin, '.mcp.json'), line: 3, plugin: 'box' },
        ],
      ]),
    )
    expect(list.servers).toHaveLength(6)
  })
})

it('those of CLAUDE_CONFIG_DIR, and not those of ~/.claude', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-claude-')))
  try {
    await withHost({ env: { CLAUDE_CONFIG_DIR: folder } }, async (host) => {
      put(join(folder, '.claude.json'), { mcpServers: { user: offering('from_user') } })
      put(join(folder, 'settings.json'), {
        enabledPlugins: { 'box@here': true },
        mcpServers: { settings: offering('from_settings') },
      })
      installPlugin(folder, 'box', { helper: offering('from_plugin') })
      put(join(host.root, '.claude.json'), { mcpServers: { wrong: offering('x') } })
      put(join(host.root, '.claude', 'settings.json'), { mcpServers: { wrong: offering('x') } })
      await trust(host, (await mainWorkspace(host)).id)
      await connect(host, ['user', 'settings', 'plugin:box:helper'])
      const { offer, list } = await offerOf(host)
      expect(offer).toEqual([
        'mcp__plugin_box_helper__from_plugin',
        'mcp__settings__from_settings',
        'mcp__user__from_user',
      ])
      expect(list.servers).toHaveLength(3)
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('a broken file and a broken entry are reported with their line, and harm nothing else', async () => {
  const config = `{
    "mcpServers": {
      "nothing": {},
      "good": ${entry('from_config')}
    }
  }`
  await withHost({ config }, async (host) => {
    const claude = put(join(host.root, '.claude.json'), {
      mcpServers: { odd: { command: 5 }, user: offering('from_user') },
    })
    const settings = put(join(host.root, '.claude', 'settings.json'), '{ "mcpServers": {\n "a": }')
    const project = put(join(host.cwd, '.mcp.json'), '{ "mcpServers": ')
    await connect(host, ['good', 'user'])
    const { offer, list } = await offerOf(host)
    expect(offer).toEqual(['mcp__good__from_config', 'mcp__user__from_user'])
    expect(list.faults.map(({ file, line, scope, name }) => [file, line, scope, name])).toEqual(
      expect.arrayContaining([
        [join(host.home, 'config.jsonc'), 3, 'dorkos', 'nothing'],
        [claude, 4, 'user', 'odd'],
        [settings, 2, 'settings', undefined],
        [project, 1, 'project', undefined],
      ]),
    )
    expect((await host.client.listMcpServers()).faults).toEqual(list.faults)
    const log = list.faults.map(({ message }) => message).join('\n')
    expect(log).toContain('nothing: command is missing')
  })
})
