/** Commands and skills are listed before a process runs: as the CLI would have them, and only where it would load them. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installPlugin, put } from './support/install-plugin.ts'
import { mainWorkspace } from './support/mcp-servers.ts'
import { trustWorkspace } from './support/trust-workspace.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()

const head = (description: string, more = '') =>
  `---\ndescription: ${description}\n${more}---\nDo it: $ARGUMENTS`

async function listed(id: string) {
  const { commands } = await used.host.client.listWorkspaceCommands({ params: { id } })
  return commands.filter(({ source }) => source !== 'builtin')
}

const names = async (id: string) => (await listed(id)).map(({ name }) => name)

it('lists what the CLI then lists, with the same words, and nothing of what nobody allowed', async () => {
  const { host } = used
  const [ours, theirs] = [join(host.root, '.claude'), join(host.cwd, '.claude')]
  put(join(theirs, 'commands/deploy.md'), head('Ships it', 'argument-hint: "[environment]"\n'))
  put(join(theirs, 'commands/sub/deep.md'), '# A heading\n\ntext')
  put(join(theirs, 'commands/same.md'), head('of the project'))
  put(join(theirs, 'commands/both.md'), head('the command'))
  put(join(theirs, 'commands/folder/SKILL.md'), head('a folder'))
  put(join(theirs, 'commands/hidden.md'), head('hidden', 'user-invocable: false\n'))
  put(join(theirs, 'commands/notes.txt'), 'no command')
  put(join(theirs, 'skills/both/SKILL.md'), head('the skill'))
  put(join(theirs, 'skills/folder-name/SKILL.md'), head('A named skill', 'name: own-name\n'))
  put(join(theirs, 'skills/nested/inner/SKILL.md'), head('too deep'))
  put(join(theirs, 'skills/quiet/SKILL.md'), head('quiet', 'disable-model-invocation: true\n'))
  put(join(ours, 'commands/mine.md'), head('of the owner'))
  put(join(ours, 'commands/same.md'), head('of the owner, too'))
  put(join(ours, 'skills/owners/SKILL.md'), head('a skill of the owner'))
  installPlugin(host, 'p', {
    'commands/run.md': head('of the plugin'),
    'skills/help/SKILL.md': head('a skill of the plugin'),
  })
  put(join(ours, 'settings.json'), { enabledPlugins: { 'p@market': true } })
  const { id } = await mainWorkspace(host)

  const owners = ['owners', 'mine', 'same']
  expect(await names(id)).toEqual(owners)
  await trustWorkspace(host.client, id)
  const trusted = await names(id)
  expect(trusted).toContain('deploy')
  expect(trusted).not.toContain('p:run')
  const params = { id }
  const [plugin] = (await host.client.listWorkspaceHooks({ params })).plugins
  await host.client.allowWorkspaceHook({ params, body: { digest: plugin?.digest ?? '', grant: 'run' } })

  const before = await host.client.listWorkspaceCommands({ params })
  expect(before.has_builtin).toBe(false)
  expect(before.commands).toContainEqual({
    name: 'deploy',
    description: 'Ships it',
    argument_hint: '[environment]',
    aliases: [],
    source: 'project',
  })
  const session = await used.start(['done'])
  await session.endOf(1)
  const said = (await host.client.getCapabilities({ params: session.params })).commands.flatMap(asListed)
  const own = said.filter(({ builtin }) => !builtin)
  const words = (list: readonly { name: string; description: string }[]) =>
    list.map(({ name, description }) => `${name}: ${description}`).toSorted()
  expect(words(before.commands)).toEqual(words(own))
  // Now that a process has run, those of the CLI are known as well.
  const after = await host.client.listWorkspaceCommands({ params })
  expect(after.has_builtin).toBe(true)
  expect(words(after.commands)).toEqual(words(said))
  expect(after.commands).toContainEqual(expect.objectContaining({ name: 'compact', source: 'builtin' }))

  put(join(theirs, 'commands/deploy.md'), head('Ships it elsewhere'))
  expect(await names(id)).toEqual([owners[0], 'p:help', ...owners.slice(1), 'p:run'])
})

/** Without where it comes from, which the CLI says at the end or the beginning of the description. */
function asListed(entry: unknown): { name: string; description: string; builtin: boolean }[] {
  const {
    name,
    description,
    builtin = false,
  } = entry as {
    name: string
    description: string
    builtin?: boolean
  }
  if (name.startsWith('__')) return []
  const plain = builtin ? description : description.replace(/ \((project|user)\)$|^\(p\) /, '')
  return [{ name, description: plain.slice(0, 2000), builtin }]
}

it('lists nothing of an untrusted workspace beside the main one, and what it has once it is trusted', async () => {
  const { host } = used
  const path = join(host.root, 'other')
  put(join(path, '.claude/commands/tea.md'), 'Say exactly: tea is ready')
  const { id } = await host.client.createWorkspace({ body: { path } })
  expect(await listed(id)).toEqual([])
  await trustWorkspace(host.client, id)
  expect(await listed(id)).toEqual([
    {
      name: 'tea',
      description: 'Say exactly: tea is ready',
      argument_hint: '',
      aliases: [],
      source: 'project',
    },
  ])
  await expect(host.client.listWorkspaceCommands({ params: { id: 'ws_nowhere' } })).rejects.toThrow()
})

it('runs what was chosen from the list', async () => {
  const { host, prompts } = used
  const path = join(host.root, 'third')
  put(join(path, '.claude/skills/brew/SKILL.md'), '---\ndescription: Brews\n---\nbrew $ARGUMENTS now')
  prompts.on('brew green tea now', 'brewed')
  const { id } = await host.client.createWorkspace({ body: { path } })
  await trustWorkspace(host.client, id)
  const [brew] = await listed(id)
  const content = `/${brew?.name} green tea`
  const { session } = await host.client.createSession({ body: { workspace_id: id, content } })
  const followed = used.follow(session.id)
  await followed.endOf(1)
  expect(followed.watch.text).toContain('brewed')
})

it('follows links of the owner to their own files, and never into the state folder', async () => {
  const { host } = used
  const commands = join(host.root, '.claude/commands')
  put(join(host.root, 'dotfiles/linked.md'), 'kept elsewhere')
  put(join(host.home, 'state.md'), 'SECRET')
  symlinkSync(join(host.root, 'dotfiles/linked.md'), join(commands, 'linked.md'))
  symlinkSync(join(host.home, 'state.md'), join(commands, 'state.md'))
  symlinkSync('/etc/hostname', join(commands, 'machine.md'))
  const { id } = await mainWorkspace(host)
  const found = await names(id)
  expect(found).toContain('linked')
  expect(found).not.toContain('state')
  expect(found).not.toContain('machine')
})
