/** Profiles: found, checked, written, and what a session that starts with one is. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApiClient } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { builtInToolFault } from '../src/core/profiles/built-in-tools.ts'
import { useHost } from './support/use-host.ts'

const used = useHost()
const client = () => used.host.client

const text = (head: string, prompt = 'You help.') => `---\n${head}\n---\n\n${prompt}\n`
const save = (name: string, head: string, more: { prompt?: string; workspace_id?: string } = {}) =>
  client().saveProfile({
    params: { name },
    body: {
      text: text(head, more.prompt),
      base_digest: null,
      ...(more.workspace_id !== undefined && { workspace_id: more.workspace_id }),
    },
  })
const mainRequest = (sessionId: string) =>
  used.host.model.requests.findLast((one) => one.sessionId === sessionId && one.kind === 'main')
const systemOf = (body: Record<string, unknown> | undefined) => JSON.stringify(body?.system)
const toolsOf = (body: Record<string, unknown> | undefined) =>
  ((body?.tools ?? []) as { name: string }[]).map(({ name }) => name)

describe('the profiles that come with DorkOS', () => {
  it('are without a fault, and can be used', async () => {
    const { profiles } = await client().listProfiles()
    expect(profiles.map(({ name }) => name)).toEqual([
      'on-call',
      'release-notes',
      'researcher',
      'reviewer',
      'test-fixer',
    ])
    for (const profile of profiles)
      expect(profile).toMatchObject({ origin: 'shipped', faults: [], untrusted: false })
    const { profile } = await client().getProfile({ params: { name: 'reviewer' } })
    expect(profile).toMatchObject({ tools: ['Read', 'Grep', 'Glob'], prompt_mode: 'append' })
  })
})

describe('a profile of one’s own', () => {
  it('is written, changed from what one saw, and deleted', async () => {
    const made = await save('notes', 'description: Takes notes\ntools: [Read]')
    expect(made).toMatchObject({
      origin: 'owner',
      faults: [],
      profile: { name: 'notes', prompt: 'You help.' },
    })
    expect(await readFile(made.file ?? '', 'utf8')).toBe(made.text)
    await expect(save('notes', 'description: Another')).rejects.toMatchObject({ status: 409 })
    const params = { name: 'notes' }
    const changed = await client().saveProfile({
      params,
      body: { text: text('description: Takes long notes'), base_digest: made.digest },
    })
    expect(changed.profile?.description).toBe('Takes long notes')
    const late = { text: text('description: Too late'), base_digest: made.digest }
    await expect(client().saveProfile({ params, body: late })).rejects.toMatchObject({ status: 409 })
    await client().deleteProfile({ params })
    await expect(client().getProfile({ params })).rejects.toMatchObject({ status: 404 })
    const shipped = { name: 'reviewer' }
    await expect(client().deleteProfile({ params: shipped })).rejects.toMatchObject({ status: 409 })
  })

  it('7. with faults is refused, each with its line', async () => {
    const head =
      'description: x\ntools: [Read, Reed, CronCreate]\nagents: [nobody]\noutput_schema: { type: array }'
    const { faults, profile } = await client().checkProfile({ body: { name: 'wrong', text: text(head) } })
    expect(profile).toBeUndefined()
    expect(faults).toMatchObject([
      { line: 3, path: 'tools.1', message: expect.stringContaining('Reed') },
      { line: 3, path: 'tools.2', message: expect.stringContaining('to no session') },
      { line: 4, path: 'agents.0' },
      { line: 5, path: 'output_schema' },
    ])
    await expect(save('wrong', head)).rejects.toMatchObject({
      status: 400,
      said: { reason: 'profile_faulty' },
      details: { faults },
    })
    expect((await client().listProfiles()).profiles.map(({ name }) => name)).not.toContain('wrong')
  })

  it('7. names servers and skills of the workspace, or is refused', async () => {
    const { workspaces } = await client().listWorkspaces()
    const workspace_id = workspaces[0]?.id ?? ''
    const body = {
      name: 'x',
      workspace_id,
      text: text('description: x\nmcp_servers: [nowhere]\nskills: [none]\ntools: [mcp__nowhere__x]'),
    }
    const { faults } = await client().checkProfile({ body })
    expect(faults.map(({ line, path }) => [line, path])).toEqual([
      [3, 'mcp_servers.0'],
      [4, 'skills.0'],
      [5, 'tools.0'],
    ])
  })

  it('goes before one that comes with DorkOS', async () => {
    await save('on-call', 'description: Mine')
    const { profiles } = await client().listProfiles()
    expect(profiles.filter(({ name }) => name === 'on-call')).toMatchObject([
      { origin: 'owner' },
      { origin: 'shipped', overridden_by: 'owner' },
    ])
    await client().deleteProfile({ params: { name: 'on-call' } })
  })

  it('is not read or written through a link', async () => {
    const { file = '' } = await save('linked', 'description: x')
    const folder = join(file, '..')
    const elsewhere = join(used.host.cwd, 'elsewhere.md')
    await writeFile(elsewhere, text('description: From elsewhere'))
    await symlink(elsewhere, join(folder, 'led-away.md'))
    const { profiles } = await client().listProfiles()
    const [led] = profiles.filter(({ name }) => name === 'led-away')
    expect(led?.faults[0]?.message).toContain('link')
    await expect(save('led-away', 'description: y')).rejects.toMatchObject({ status: 409 })
    expect(await readFile(elsewhere, 'utf8')).toContain('From elsewhere')
    await client().deleteProfile({ params: { name: 'led-away' } })
    await client().deleteProfile({ params: { name: 'linked' } })
  })
})

it('the tools of Claude Code are known by name, for those that a profile names', async () => {
  const session = await used.start(['ready'])
  await session.endOf(1)
  const names = toolsOf(mainRequest(session.id)?.body).filter((name) => !name.startsWith('mcp__'))
  expect(names).toContain('Bash')
  expect(names.filter((name) => builtInToolFault(name) !== undefined)).toEqual([])
})

describe('a session with a profile', () => {
  beforeAll(async () => {
    const head = [
      'description: Looks',
      'model: claude-haiku-4-5',
      'tools: [Read, Bash, Agent]',
      'permissions:',
      '  rules:',
      '    - { effect: allow, tool: Bash, match: "touch *" }',
      '    - { effect: deny, tool: Read }',
      'agents:',
      '  second: { description: A second look, prompt: You look again., model: claude-opus-4-6, tools: [Read] }',
      'limits: { budget_usd: 3, max_turns: 7 }',
    ]
    await save('looker', head.join('\n'), { prompt: 'You are the looker of 77.' })
  })

  it('has its prompt, model, tools, agents and limits, as they were when it began', async () => {
    const session = await used.start(['ready'], { profile: 'looker' })
    await session.endOf(1)
    const stored = await session.session()
    expect(stored).toMatchObject({
      profile: { name: 'looker', origin: 'owner' },
      model: 'claude-haiku-4-5',
      budget_usd: 3,
      max_turns: 7,
    })
    const request = mainRequest(session.id)
    expect(request?.model).toMatch(/haiku/)
    expect(systemOf(request?.body)).toContain('You are the looker of 77.')
    expect(
      toolsOf(request?.body)
        .filter((name) => !name.startsWith('mcp__'))
        .toSorted(),
    ).toEqual(['Agent', 'Bash', 'Read'])
    expect(JSON.stringify(request?.body)).toContain('A second look')

    // The file is another now: the session is what it was.
    const { digest } = await client().getProfile({ params: { name: 'looker' } })
    await client().saveProfile({
      params: { name: 'looker' },
      body: { text: text('description: Looks\ntools: [Read]', 'You are another.'), base_digest: digest },
    })
    await client().stopSession({ params: session.params, body: {} })
    await session.say(used.prompts.on('again', 'ready again'))
    expect(systemOf(mainRequest(session.id)?.body)).toContain('You are the looker of 77.')
    expect((await session.session()).profile).toEqual(stored.profile)
  })

  it('has its rules, in itself alone', async () => {
    const { digest, text: before } = await client().getProfile({ params: { name: 'looker' } })
    expect(before).toContain('You are another.')
    await client().saveProfile({
      params: { name: 'looker' },
      body: {
        base_digest: digest,
        text: text(
          'description: Looks\npermissions:\n  rules:\n    - { effect: allow, tool: Bash, match: "touch *" }\n    - { effect: deny, tool: Read }',
        ),
      },
    })
    const file = join(used.host.cwd, 'read-me')
    await writeFile(file, 'words')
    const chained = toolUse('Bash', { command: 'touch made-by-profile && touch another', description: 'x' })
    const session = await used.start(
      [
        toolUse('Bash', { command: 'touch allowed', description: 'x' }),
        toolUse('Read', { file_path: file }),
        'done',
      ],
      { profile: 'looker' },
    )
    await session.endOf(1)
    expect(session.watch.of('approval_required')).toEqual([])
    expect(session.watch.of('tool_result')).toMatchObject([{ is_error: false }, { is_error: true }])
    const { entries } = await client().listAudit({
      query: { session_id: session.id, action: 'tool_decided', limit: 10 },
    })
    expect(entries.map(({ decided_by }) => decided_by?.rule_id).toSorted()).toEqual(['looker#1', 'looker#2'])
    // A second command is more than the rule says, and another session has no such rule.
    await session.send(used.prompts.on('write it', chained, 'asked'))
    await session.watch.next('approval_required')
    const other = await used.start([toolUse('Bash', { command: 'touch other', description: 'x' }), 'no'])
    await other.watch.next('approval_required')
  })

  it('62. asks less, or spends more, only for somebody who could say so by hand', async () => {
    await save('loose', 'description: x\npermissions: { mode: bypassPermissions }\nlimits: { budget_usd: 2 }')
    await save('cheap', 'description: x\nlimits: { budget_usd: 2 }')
    const { secret } = await client().createToken({ body: { name: 'chat', scopes: ['read', 'chat'] } })
    const chat = createApiClient({ baseUrl: used.host.server.url, token: secret })
    await expect(chat.createSession({ body: { profile: 'loose' } })).rejects.toMatchObject({ status: 403 })
    await expect(chat.createSession({ body: { profile: 'cheap', budget_usd: 4 } })).rejects.toMatchObject({
      status: 403,
    })
    const { session } = await chat.createSession({ body: { profile: 'loose', permission_mode: 'default' } })
    expect(session).toMatchObject({ permission_mode: 'default', budget_usd: 2 })
    await expect(
      chat.saveProfile({
        params: { name: 'mine' },
        body: { text: text('description: x'), base_digest: null },
      }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(client().createSession({ body: { profile: 'nobody' } })).rejects.toMatchObject({
      status: 404,
    })
  })
})

describe('61. a profile of a workspace', () => {
  it('counts only as it was trusted, and is written without asking again', async () => {
    const path = join(used.host.cwd, '..', 'with-profiles')
    await mkdir(join(path, '.dorkos', 'agents'), { recursive: true })
    await writeFile(join(path, '.dorkos', 'agents', 'guide.md'), text('description: Guides'))
    const workspace = await client().createWorkspace({ body: { path } })
    const query = { workspace_id: workspace.id }
    const guide = async () =>
      (await client().listProfiles({ query })).profiles.find(({ name }) => name === 'guide')
    expect(await guide()).toMatchObject({ origin: 'workspace', untrusted: true })
    const start = () => client().createSession({ body: { ...query, profile: 'guide' } })
    await expect(start()).rejects.toMatchObject({ status: 409, said: { reason: 'profile_untrusted' } })

    const params = { id: workspace.id }
    const trust = await client().getWorkspaceTrust({ params })
    expect(trust.items).toMatchObject([{ kind: 'profile', path: '.dorkos/agents/guide.md' }])
    await client().giveWorkspaceTrust({ params, body: { digest: trust.digest } })
    expect(await guide()).toMatchObject({ untrusted: false })
    expect((await start()).session.profile).toMatchObject({ name: 'guide', origin: 'workspace' })

    // By somebody who may trust it, from here: nobody has to look again.
    const { digest } = await client().getProfile({ params: { name: 'guide' }, query })
    await client().saveProfile({
      params: { name: 'guide' },
      body: { ...query, text: text('description: Guides well'), base_digest: digest },
    })
    expect((await client().getWorkspaceTrust({ params })).state).toBe('trusted')
    // By anybody else, not from here.
    await writeFile(join(path, '.dorkos', 'agents', 'guide.md'), text('description: Misguides'))
    await expect(start()).rejects.toMatchObject({ status: 409 })
    expect((await client().getWorkspaceTrust({ params })).state).toBe('changed')
    // What is not trusted is not trusted by writing another file beside it.
    await save('second', 'description: x', query)
    expect((await client().getWorkspaceTrust({ params })).state).toBe('changed')
  })
})

describe('agents of others', () => {
  it('become profiles', async () => {
    const path = join(used.host.cwd, '..', 'to-import')
    await mkdir(join(path, '.claude', 'agents'), { recursive: true })
    await writeFile(
      join(path, '.claude', 'agents', 'old.md'),
      text('name: old\ndescription: Old\ntools: Read, Grep\ndisallowedTools: Bash'),
    )
    await writeFile(
      join(path, 'sandstorm.json'),
      JSON.stringify({
        systemPrompt: 'You are in a storm.',
        tools: ['Read'],
        maxBudgetUsd: 5,
        subagents: { a: { description: 'b', prompt: 'c' } },
      }),
    )
    const workspace = await client().createWorkspace({ body: { path } })
    const query = { workspace_id: workspace.id }
    const found = async () =>
      (await client().listProfileImports({ query })).found.map(({ kind, name }) => [kind, name])
    expect(await found()).toEqual([])
    const params = { id: workspace.id }
    const { digest } = await client().getWorkspaceTrust({ params })
    await client().giveWorkspaceTrust({ params, body: { digest } })
    expect(await found()).toEqual([
      ['sandstorm', 'sandstorm'],
      ['claude_agent', 'old'],
    ])
    const old = join(path, '.claude', 'agents', 'old.md')
    const imported = await client().importProfile({ body: { ...query, file: old, name: 'older' } })
    expect(imported.profile).toMatchObject({
      name: 'older',
      tools: ['Read', 'Grep'],
      disallowed_tools: ['Bash'],
    })
    const storm = await client().importProfile({
      body: { ...query, file: join(path, 'sandstorm.json'), name: 'storm' },
    })
    expect(storm.profile).toMatchObject({
      prompt: 'You are in a storm.',
      limits: { budget_usd: 5 },
      agents: { a: { description: 'b' } },
    })
    const passwd = { ...query, file: '/etc/passwd', name: 'passwd' }
    await expect(client().importProfile({ body: passwd })).rejects.toMatchObject({ status: 404 })
  })
})
