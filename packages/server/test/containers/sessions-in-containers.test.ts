/** Sessions of a workspace in a container, with the real CLI: they are like others to whoever uses them. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Workspace } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxedWorkspace } from '../support/boxed-workspace.ts'
import { containerProcesses, noContainerProcess } from '../support/container-processes.ts'
import { containersHere } from '../support/containers-here.ts'
import { Conversation } from '../support/conversation.ts'
import { toldModel } from '../support/hook-consents.ts'
import { type Call, HostileAgent } from '../support/hostile-agent.ts'
import { put } from '../support/install-plugin.ts'
import { modesHere } from '../support/modes-here.ts'
import { trustWorkspace } from '../support/trust-workspace.ts'
import { useHost } from '../support/use-host.ts'

describe.skipIf(!containersHere)('a workspace in a container', { timeout: 60_000 }, () => {
  // So that a session starts when a test says so.
  const used = useHost({ config: { sessions: { prewarm: false } } })
  let workspace: Workspace
  /** Goes through the tests: what it says is its own, and its process starts once. */
  let session: Conversation
  beforeAll(async () => {
    workspace = await boxedWorkspace(used.host)
    session = await Conversation.open(used.host, { ...inBox(), title: 'boxed talk' })
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
    const content = used.prompts.on('make it', bash('echo made > made.txt; pwd'), 'made in heliotrope')
    expect(await session.say(content)).toMatchObject({ outcome: 'completed' })
    expect(session.watch.text).toBe('made in heliotrope')
    expect(session.watch.of('tool_result')[0]?.content[0]?.text).toContain(workspace.path)
    const made = join(workspace.path, 'made.txt')
    expect(readFileSync(made, 'utf8')).toBe('made\n')
    expect(statSync(made).uid).toBe(process.getuid?.())
    expect(existsSync(join(used.host.root, '.claude', 'projects'))).toBe(false)
    for (const folder of ['', `/${workspace.id}`, `/${workspace.id}/config`])
      expect(statSync(`${used.host.home}-containers${folder}`).mode & 0o777).toBe(0o700)
  })

  it('has commands in the background that are read and stopped like others', async () => {
    const { client } = used.host
    const loop = toolUse('Bash', {
      command: 'echo from within; while [ -d "$PWD" ]; do sleep 0.1; done',
      description: 'a loop',
      run_in_background: true,
    })
    await session.say(used.prompts.on('begin a loop', loop, 'begun'))
    const { tasks } = await session.watch.next('tasks_update', (event) => event.tasks.length > 0)
    const params = { ...session.params, taskId: tasks[0]?.task_id ?? '' }
    const printed = async () => (await client.getTaskOutput({ params }).catch(() => undefined))?.text
    await expect.poll(printed, { timeout: 20_000 }).toBe('from within\n')
    await client.stopTask({ params, body: {} })
    await session.watch.next('tasks_update', (event) =>
      event.tasks.some(({ status }) => status === 'stopped'),
    )
    const outputs = `${used.host.home}-containers/${workspace.id}/outputs`
    expect(readdirSync(outputs)).toHaveLength(1)
    expect(statSync(outputs).mode & 0o777).toBe(0o700)
  })

  describe('an agent in it', () => {
    let agent: HostileAgent
    beforeAll(() => {
      agent = new HostileAgent(used.host, used.prompts, workspace.id)
    })
    afterAll(() => agent.close())

    it.each(modesHere)('learns of its own workspace alone through the injected tools, %s', async (mode) => {
      const { client, cwd, home } = used.host
      const outside = (await client.createSession({ body: { title: 'OUTSIDE-TITLE' } })).session
      const beside = (await client.createSession({ body: { ...inBox(), title: 'beside' } })).session
      const inputs = {
        list_sessions: {},
        get_session_details: { session_id: outside.id },
        list_active_sessions: {},
        get_session_count: {},
        get_costs: { group: 'workspace' },
        get_server_info: { include_uptime: true },
        get_config: {},
        set_config: { key: 'sessions.idleMinutes', value: 1 },
      }
      const calls = Object.entries(inputs).map(([name, input]): Call => [`mcp__dorkos__${name}`, input])
      // Not even where a person agrees.
      const { asked, results, session: own, known } = await agent.attack({ mode, calls })
      expect(asked.at(-1)).toMatchObject({ tool: 'mcp__dorkos__set_config' })
      const { keys } = await client.getConfig()
      expect(keys.find(({ path }) => path === 'sessions.idleMinutes')?.value).not.toBe(1)
      expect(results).toHaveLength(calls.length)
      const said = JSON.stringify(results)
      for (const secret of ['OUTSIDE-TITLE', cwd, home]) expect(said).not.toContain(secret)
      expect(known).not.toContain('OUTSIDE-TITLE')
      const isError = results.map((result) => result.isError)
      if (mode === 'dontAsk') return expect(isError).toEqual(calls.map(() => true))
      const answers = results.map(({ text }) => JSON.parse(text))
      const ids = answers[0].sessions.map(({ id }: { id: string }) => id)
      expect(ids).toEqual(expect.arrayContaining([own.id, session.id, beside.id]))
      expect(ids).not.toContain(outside.id)
      expect(answers[1]).toEqual({ error: `There is no session ${outside.id}.` })
      expect(answers[2]).toMatchObject({ count: 2 })
      expect(answers[4]).toMatchObject({ group: 'session' })
      expect(answers[5]).not.toHaveProperty('port')
      expect(answers[6]).toHaveProperty('error')
      expect(answers[7]).toEqual({ error: expect.stringContaining('cannot read the server’s settings') })
    })
  })

  it('asks people, has the injected tools, and takes file tools', async () => {
    const body = { permission_mode: 'default' } as const
    await used.host.client.changeSession({ params: session.params, body })
    const before = session.watch.of('tool_result').length
    const turn = await session.send(
      used.prompts.on(
        'use tools',
        toolUse('mcp__dorkos__ping', {}),
        toolUse('Write', { file_path: join(workspace.path, 'written.txt'), content: 'w' }),
        bash('rm written.txt && echo gone'),
        'done',
      ),
    )
    const asked: string[] = []
    for (let n = 0; n < 3; n++) asked.push((await session.answer()).tool)
    expect(await session.end(turn)).toMatchObject({ outcome: 'completed' })
    expect(asked).toEqual(['mcp__dorkos__ping', 'Write', 'Bash'])
    expect(session.result(before + 1)).toMatchObject({ status: 'pong' })
    expect(session.watch.of('tool_result')[before + 2]?.content[0]?.text).toBe('gone')
  })

  it('an interrupt ends the command, a stop ends everything', async () => {
    const body = { permission_mode: 'bypassPermissions' } as const
    await used.host.client.changeSession({ params: session.params, body })
    const turn = await session.send(used.prompts.on('begin', bash('touch begun; sleep 1000'), 'never'))
    await expect.poll(() => existsSync(join(workspace.path, 'begun')), { timeout: 50_000 }).toBe(true)
    const programs = () =>
      containerProcesses(used.host).map(({ command: [program = ''] }) => program.split('/').at(-1))
    // The file is there a moment before the next command runs.
    const all = expect.arrayContaining(['bwrap', 'socat', 'claude', 'sleep'])
    await expect.poll(programs, { timeout: 50_000 }).toEqual(all)
    await used.host.client.interruptSession({ params: session.params, body: {} })
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
    await expect.poll(programs, { timeout: 50_000 }).not.toContain('sleep')
    await used.host.client.stopSession({ params: session.params, body: {} })
    await noContainerProcess(used.host)
    expect(readdirSync(join(used.host.home, 'run'))).toEqual([])
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(workspace.path)
  })

  it('a session goes on after a restart, is listed, read, found, renamed, forked and deleted', async () => {
    const turns = session.watch.of('turn_end').length
    await session.watch.close()
    await used.host.restart()
    const { client, model } = used.host
    session = used.follow(session.id)
    const again = used.prompts.on('go on', 'as I said')
    await session.say(again)
    const request = model.requests.findLast(({ lastUserText }) => lastUserText === again)
    expect(JSON.stringify(request?.body)).toContain('heliotrope')

    const { sessions } = await client.listSessions({ query: { workspace_id: workspace.id } })
    expect(sessions.map(({ id }) => id)).toContain(session.id)
    expect(await session.session()).not.toHaveProperty('in_use_elsewhere')
    const { events } = await client.getHistory({ params: session.params })
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(turns + 1)
    await expect
      .poll(async () => (await client.searchSessions({ query: { q: 'heliotrope' } })).hits, {
        timeout: 50_000,
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

  it('loads a trusted project’s settings, whose hooks run inside and are reported, and an untrusted one’s not; one that was allowed denies calls', async () => {
    const { client, root } = used.host
    const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }]
    const forbidden = bash('echo forbidden > ran.txt')
    // A hook that makes a file which another one's command names would end the trust in that one.
    const hooks = {
      PreToolUse: hook('grep -q forbidden && { id >&2; exit 2; }'),
      UserPromptSubmit: hook('id; ls /; ls /root 2>&1; true'),
      Stop: hook(`pwd > hook.txt; ls ${root} >> hook.txt 2>&1; echo said by a hook`),
    }
    const begin = async (name: string, trusted: boolean) => {
      const { id, path } = await boxedWorkspace(used.host, name)
      put(join(path, '.claude/settings.json'), { hooks })
      if (trusted) {
        await trustWorkspace(client, id)
        const view = await client.listWorkspaceHooks({ params: { id } })
        const { digest = '' } =
          view.hooks.find(({ decides, source }) => decides && source === 'project') ?? {}
        await client.allowWorkspaceHook({ params: { id }, body: { digest, grant: 'run' } })
      }
      const place = { workspace_id: id, permission_mode: 'bypassPermissions' } as const
      const session = await used.start([forbidden, 'done'], place)
      await session.endOf(1)
      const results = session.watch.of('hook_result').map((one) => `${one.hook} ${one.outcome}`)
      const denied = session.watch.of('tool_call_denied')
      const [file, ran] = ['hook.txt', 'ran.txt'].map((name) => join(path, name)) as [string, string]
      return { file, ran: existsSync(ran), results, denied, read: toldModel(used.host, session.id) }
    }
    const untrusted = await begin('not-trusted', false)
    expect(untrusted.results).toEqual([])
    expect(untrusted.read).not.toContain('uid=')
    expect(existsSync(untrusted.file)).toBe(false)
    expect(untrusted).toMatchObject({ ran: true, denied: [] })
    const trusted = await begin('trusted', true)
    expect(trusted.results).toEqual(['UserPromptSubmit said', 'Stop said'])
    expect(trusted.read).toContain('uid=')
    expect(trusted.read).toMatch(/No such file/)
    // By the container's own user.
    expect(trusted).toMatchObject({
      ran: false,
      denied: [{ decided_by: { kind: 'hook' }, message: expect.stringContaining('(agent)') }],
    })
    // Of what lies around the workspace only itself is there, and the container's own folder.
    const seen = readFileSync(trusted.file, 'utf8').trimEnd().split('\n')
    expect(seen).toEqual([dirname(trusted.file), 'state-containers', 'trusted'])
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
      'started outside the container',
    )
  })
})
