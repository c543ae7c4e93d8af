/** Sessions of a workspace in a container, with the real CLI: they are like others to whoever uses them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { boxedWorkspace } from '../support/boxed-workspace.ts'
import { containerProcesses, noContainerProcess } from '../support/container-processes.ts'
import { containersHere } from '../support/containers-here.ts'
import { put } from '../support/install-plugin.ts'
import { trustWorkspace } from '../support/trust-workspace.ts'
import { useHost } from '../support/use-host.ts'

describe.skipIf(!containersHere)('a workspace in a container', { timeout: 60_000 }, () => {
  // So that a session starts when a test says so.
  const used = useHost({ config: { sessions: { prewarm: false } } })
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await boxedWorkspace(used.host)
  })
  const inBox = () => ({ workspace_id: workspace.id, permission_mode: 'bypassPermissions' as const })
  const bash = (command: string) => toolUse('Bash', { command, description: 'x' })
  const transcripts = () => {
    const folder = `${used.host.home}-containers/${workspace.id}/config/projects`
    return readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.jsonl'))
  }

  it('is made by the API, and the status says that there can be some', async () => {
    expect(workspace).toMatchObject({ mode: 'container', main: false, trusted: false })
    expect(await used.host.client.getStatus()).toMatchObject({ containers: { available: true } })
  })

  it('holds turns; what the agent writes is there outside, and the owner’s', async () => {
    const session = await used.start([bash('echo made > made.txt; pwd'), 'it is made'], inBox())
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.text).toBe('it is made')
    expect(session.watch.of('tool_result')[0]?.content[0]?.text).toContain(workspace.path)
    const made = join(workspace.path, 'made.txt')
    expect(readFileSync(made, 'utf8')).toBe('made\n')
    expect(statSync(made).uid).toBe(process.getuid?.())
    expect(existsSync(join(used.host.root, '.claude', 'projects'))).toBe(false)
    for (const folder of ['', `/${workspace.id}`, `/${workspace.id}/config`])
      expect(statSync(`${used.host.home}-containers${folder}`).mode & 0o777).toBe(0o700)
  })

  it('learns of its own workspace alone through the injected tools', async () => {
    const { client, cwd } = used.host
    const outside = (await client.createSession({ body: { title: 'OUTSIDE-TITLE' } })).session
    const beside = (await client.createSession({ body: { ...inBox(), title: 'beside' } })).session
    const calls = [
      ['list_sessions', {}],
      ['get_session_details', { session_id: outside.id }],
      ['list_active_sessions', {}],
      ['get_session_count', {}],
      ['get_costs', { group: 'workspace' }],
      ['get_server_info', { include_uptime: true }],
      ['get_config', {}],
    ] as const
    const session = await used.start(
      [...calls.map(([name, input]) => toolUse(`mcp__dorkos__${name}`, input)), 'done'],
      inBox(),
    )
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    const told = calls.map((_call, index) => session.result(index + 1))
    const text = JSON.stringify(told)
    for (const secret of ['OUTSIDE-TITLE', cwd, used.host.home]) expect(text).not.toContain(secret)
    expect(told[0]).toMatchObject({
      sessions: expect.arrayContaining([expect.objectContaining({ id: beside.id })]),
    })
    expect(told[1]).toEqual({ error: `There is no session ${outside.id}.` })
    expect(told[2]).toMatchObject({ count: 1, sessions: [{ id: session.id }] })
    expect(told[4]).toMatchObject({ group: 'session' })
    expect(told[5]).not.toHaveProperty('port')
    expect(told[6]).toHaveProperty('error')
  })

  it('that is trusted has its hooks run in a container too, and told what they say', async () => {
    const { client, root } = used.host
    const path = join(root, 'hooked-box')
    const command = `pwd > hook.txt; ls ${root} >> hook.txt 2>&1; id -u >> hook.txt; echo said by a hook`
    put(join(path, '.claude/settings.json'), { hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } })
    const { id } = await client.createWorkspace({ body: { path, mode: 'container' } })
    await trustWorkspace(client, id)
    const session = await used.start(['Done.'], { workspace_id: id })
    await session.endOf(1)
    const [where, others] = readFileSync(join(path, 'hook.txt'), 'utf8').split('\n')
    expect(where).toBe(path)
    // Of what lies around the workspace only itself is there.
    expect(others).toBe('hooked-box')
    expect(session.watch.of('hook_result')).toMatchObject([{ hook: 'Stop', outcome: 'said' }])
  })

  it('asks people, has the injected tools, and takes file tools', async () => {
    const session = await used.start(
      [
        toolUse('mcp__dorkos__ping', {}),
        toolUse('Write', { file_path: join(workspace.path, 'written.txt'), content: 'w' }),
        bash('rm written.txt && echo gone'),
        'done',
      ],
      { workspace_id: workspace.id, permission_mode: 'default' },
    )
    const asked: string[] = []
    for (let n = 0; n < 3; n++) asked.push((await session.answer()).tool)
    expect(await session.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(asked).toEqual(['mcp__dorkos__ping', 'Write', 'Bash'])
    expect(session.result()).toMatchObject({ status: 'pong' })
    expect(session.watch.of('tool_result')[2]?.content[0]?.text).toBe('gone')
  })

  it('a session goes on after a restart, is listed, read, found, renamed, forked and deleted', async () => {
    const first = await used.start(['the answer is heliotrope'], { ...inBox(), title: 'boxed talk' })
    await first.endOf(1)
    await first.watch.close()
    await used.host.restart()
    const { client, model } = used.host
    const session = used.follow(first.id)
    const again = used.prompts.on('go on', 'as I said')
    await session.say(again)
    const request = model.requests.findLast(({ lastUserText }) => lastUserText === again)
    expect(JSON.stringify(request?.body)).toContain('heliotrope')

    const { sessions } = await client.listSessions({ query: { workspace_id: workspace.id } })
    expect(sessions.map(({ id }) => id)).toContain(session.id)
    expect(await session.session()).not.toHaveProperty('in_use_elsewhere')
    const { events } = await client.getHistory({ params: session.params })
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(2)
    await expect
      .poll(async () => (await client.searchSessions({ query: { q: 'heliotrope' } })).hits, {
        timeout: 20_000,
      })
      .toContainEqual(expect.objectContaining({ session_id: session.id }))

    await client.stopSession({ params: session.params, body: {} })
    await client.changeSession({ params: session.params, body: { title: 'another title' } })
    expect(await session.session()).toMatchObject({ title: 'another title' })

    const fork = await client.forkSession({ params: session.params, body: {} })
    const forked = used.follow(fork.id)
    const there = used.prompts.on('in the fork', 'yes')
    await forked.say(there)
    const inFork = model.requests.findLast(({ lastUserText }) => lastUserText === there)
    expect(JSON.stringify(inFork?.body)).toContain('heliotrope')
    expect(transcripts().filter((name) => String(name).includes(fork.id))).toHaveLength(1)

    await client.deleteSession({ params: session.params })
    expect(transcripts().filter((name) => String(name).includes(session.id))).toEqual([])
    await expect(session.session()).rejects.toMatchObject({ status: 404 })
  })

  it('an interrupt ends the command, a stop ends everything', async () => {
    const session = await used.start([bash('touch begun; sleep 1000'), 'never'], inBox())
    await expect.poll(() => existsSync(join(workspace.path, 'begun')), { timeout: 20_000 }).toBe(true)
    const programs = () =>
      containerProcesses(used.host).map(({ command: [program = ''] }) => program.split('/').at(-1))
    // The file is there a moment before the next command runs.
    const all = expect.arrayContaining(['bwrap', 'socat', 'claude', 'sleep'])
    await expect.poll(programs, { timeout: 20_000 }).toEqual(all)
    await used.host.client.interruptSession({ params: session.params, body: {} })
    expect(await session.endOf(1)).toMatchObject({ outcome: 'interrupted' })
    await expect.poll(programs, { timeout: 20_000 }).not.toContain('sleep')
    await used.host.client.stopSession({ params: session.params, body: {} })
    await noContainerProcess(used.host)
    expect(readdirSync(join(used.host.home, 'run'))).toEqual([])
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(workspace.path)
  })

  it('loads a trusted project’s settings, whose hooks run inside, and an untrusted one’s not', async () => {
    const hook = {
      hooks: [{ type: 'command', command: 'id > hook.txt; ls / >> hook.txt; ls /root >> hook.txt 2>&1' }],
    }
    const seen: string[] = []
    for (const trusted of [false, true]) {
      const place = join(used.host.root, `hooked-${trusted}`)
      mkdirSync(join(place, '.claude'), { recursive: true })
      writeFileSync(
        join(place, '.claude', 'settings.json'),
        JSON.stringify({ hooks: { UserPromptSubmit: [hook] } }),
      )
      const { id } = await boxedWorkspace(used.host, `hooked-${trusted}`)
      if (trusted) await trustWorkspace(used.host.client, id)
      const session = await used.start(['done'], { workspace_id: id })
      await session.endOf(1)
      const file = join(place, 'hook.txt')
      seen.push(existsSync(file) ? readFileSync(file, 'utf8') : 'did not run')
    }
    expect(seen[0]).toBe('did not run')
    expect(seen[1]).toContain('uid=')
    expect(seen[1]).toMatch(/No such file/)
  })

  it('when it is removed, its sessions can be read but not gone on with outside', async () => {
    const { client } = used.host
    const gone = await boxedWorkspace(used.host, 'gone')
    const session = await used.start(['said in the box'], { workspace_id: gone.id })
    await session.endOf(1)
    await client.stopSession({ params: session.params, body: {} })
    await client.deleteWorkspace({ params: { id: gone.id } })
    const { events } = await client.getHistory({ params: session.params })
    expect(JSON.stringify(events)).toContain('said in the box')
    const never = await boxedWorkspace(used.host, 'never')
    const unstarted = await client.createSession({ body: { workspace_id: never.id } })
    await client.deleteWorkspace({ params: { id: never.id } })
    for (const id of [session.id, unstarted.session.id])
      await expect(client.startSession({ params: { id }, body: {} })).rejects.toThrow(
        'ran in a container and was removed',
      )
  })

  it('a session of a terminal is not taken into it', async () => {
    const { client, cwd } = used.host
    const outside = await used.start(['said outside'], { cwd })
    await outside.endOf(1)
    await client.stopSession({ params: outside.params, body: {} })
    const project = readdirSync(join(used.host.root, '.claude', 'projects'))[0] ?? ''
    const folder = join(used.host.root, '.claude', 'projects', project)
    const id = '11111111-2222-4333-8444-555555555555'
    const text = readFileSync(join(folder, `${outside.id}.jsonl`), 'utf8')
    const copy = text.replaceAll(outside.id, id).replaceAll(`"cwd":"${cwd}"`, `"cwd":"${workspace.path}"`)
    writeFileSync(join(folder, `${id}.jsonl`), copy)
    await expect.poll(() => client.getSession({ params: { id } }).catch(() => undefined)).toBeDefined()
    await expect(client.startSession({ params: { id }, body: {} })).rejects.toThrow(
      'held outside of the container',
    )
  })
})
