import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reply, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { getSessionInfo, type Session } from '../src/index.ts'
import { untilState } from './support/collect.ts'
import { startOfflineAgent } from './support/offline-agent.ts'

async function turn(session: Session, prompt: string): Promise<void> {
  await session.send(prompt)
  await untilState(session, 'idle')
}

describe('control of a live session', () => {
  it('changes the model from the next request on', async () => {
    await using run = await startOfflineAgent(() => 'ok', { model: 'claude-sonnet-5' })
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    await session.setModel('claude-haiku-4-5')
    await turn(session, 'b')
    expect(run.model.requests[0]?.model).toContain('sonnet')
    expect(run.model.requests.at(-1)?.model).toContain('haiku')
  })

  it('changes the permission mode, and refuses one that does not exist', async () => {
    let cwd = ''
    await using run = await startOfflineAgent((request) =>
      request.toolResults.length > 0
        ? 'done'
        : toolUse('Write', { file_path: join(cwd, 'a.txt'), content: 'x' }),
    )
    cwd = run.cwd
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    expect(run.model.requests[1]?.toolResults[0]?.isError).toBe(true)
    await session.setPermissionMode('acceptEdits')
    await turn(session, 'b')
    expect(run.model.requests[3]?.toolResults[0]?.isError).toBe(false)
    await expect(session.setPermissionMode('no such mode' as never)).rejects.toMatchObject({
      code: 'CONTROL_PROTOCOL',
      subtype: 'set_permission_mode',
      errorCode: 'invalid_mode',
    })
  })

  it('tells context usage, cost, settings, rules and files', async () => {
    await using run = await startOfflineAgent(['one'])
    await writeFile(join(run.cwd, 'needle.txt'), 'x')
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    expect(await session.getContextUsage()).toHaveProperty('totalTokens')
    expect(Object.keys(await session.getSessionCost())).not.toHaveLength(0)
    expect(await session.getSettings()).toBeTypeOf('object')
    expect(await session.listPermissionRules()).toBeTypeOf('object')
    await expect
      .poll(async () => JSON.stringify(await session.fileSuggestions('needle')), { timeout: 10_000 })
      .toContain('needle.txt')
    expect(session.initializationResult()).toHaveProperty('models')
  })

  it('renames the session', async () => {
    await using run = await startOfflineAgent(['one'])
    await using session = await run.agent.startSession({ prompt: 'a', keepAlive: true })
    await untilState(session, 'idle')
    await session.rename('A better title')
    await session.close()
    const info = await getSessionInfo(session.id, { configDir: run.offline.configDir })
    expect(info).toMatchObject({ customTitle: 'A better title' })
  })

  it('stops a background task, after which a one-shot session ends', async () => {
    await using run = await startOfflineAgent(
      [
        toolUse('Bash', { command: 'sleep 60', description: 'd', run_in_background: true }),
        'started',
        'stopped',
      ],
      { allowedTools: ['Bash'] },
    )
    const session = await run.agent.startSession({ prompt: 'go' })
    const task = await new Promise<string>((resolve) =>
      session.on('message', ({ raw }) => {
        if (raw.subtype === 'task_started') resolve(String(raw.task_id))
      }),
    )
    await new Promise<void>((resolve) => session.on('turnEnd', () => resolve()))
    expect(session.getState()).toMatchObject({ backgroundTasks: 1 })
    await session.stopTask(task)
    expect(await session.waitForCompletion()).toMatchObject({ state: 'completed' })
  })

  it('passes any other request on, and tells what the CLI answers', async () => {
    await using run = await startOfflineAgent([])
    await using session = await run.agent.startSession({ keepAlive: true })
    expect(await session.control('get_binary_version')).toMatchObject({
      version: expect.stringMatching(/^\d/),
    })
    await expect(session.control('no_such_request')).rejects.toMatchObject({
      code: 'CONTROL_PROTOCOL',
      subtype: 'no_such_request',
    })
    await session.close()
    await expect(session.setModel('x')).rejects.toMatchObject({ code: 'SESSION_STATE' })
  })

  it('detach() lets go of an agent that goes on', async () => {
    await using run = await startOfflineAgent(
      [reply([toolUse('Bash', { command: 'touch made.txt', description: 'd' })], { delayMs: 300 }), 'done'],
      { permissionMode: 'bypassPermissions', pausable: false, endWithParent: false },
      { sandbox: true },
    )
    const session = await run.agent.startSession({ prompt: 'go', keepAlive: true })
    await expect(session.pause()).rejects.toMatchObject({ code: 'INVALID_OPTIONS' })
    const { pid } = session
    await session.detach()
    expect(session.getState().state).toBe('completed')
    await run.model.waitForRequest(1)
    await expect
      .poll(
        () => {
          try {
            process.kill(pid ?? 0, 0)
            return 'runs'
          } catch {
            return 'ended'
          }
        },
        { timeout: 10_000 },
      )
      .toBe('ended')
    expect(existsSync(join(run.cwd, 'made.txt'))).toBe(true)
    expect(run.model.requests[1]?.answered).toBe(true)
  })
})
