import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reply, toolUse } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { getSessionInfo } from '../src/index.ts'
import { startOfflineAgent } from './support/offline-agent.ts'
import { sharedSession } from './support/shared-session.ts'

describe('control of a live session', () => {
  // The CLI tries a model before it changes to it.
  const shared = sharedSession({ model: 'claude-sonnet-5' }, {}, () => 'ok')

  it('changes the model from the next request on', async () => {
    const before = await shared.turn(['one'])
    await shared.session.setModel('claude-haiku-4-5')
    const after = await shared.turn(['two'])
    expect(before.requests[0]?.model).toContain('sonnet')
    expect(after.requests[0]?.model).toContain('haiku')
  })

  it('changes the permission mode, and refuses one that does not exist', async () => {
    const { session, cwd } = shared
    const write = toolUse('Write', { file_path: join(cwd, 'a.txt'), content: 'x' })
    expect((await shared.turn([write, 'done'])).toolResults).toMatchObject([{ isError: true }])
    await session.setPermissionMode('acceptEdits')
    expect((await shared.turn([write, 'done'])).toolResults).toMatchObject([{ isError: false }])
    await expect(session.setPermissionMode('no such mode' as never)).rejects.toMatchObject({
      code: 'CONTROL_PROTOCOL',
      subtype: 'set_permission_mode',
      errorCode: 'invalid_mode',
    })
  })

  it('gives context usage, cost, settings, rules and files', async () => {
    const { session, cwd } = shared
    await writeFile(join(cwd, 'needle.txt'), 'x')
    expect(await session.getContextUsage()).toHaveProperty('totalTokens')
    expect(Object.keys(await session.getSessionCost())).not.toHaveLength(0)
    expect(await session.getSettings()).toBeTypeOf('object')
    expect(await session.listPermissionRules()).toBeTypeOf('object')
    await expect
      .poll(async () => JSON.stringify(await session.fileSuggestions('needle')), { timeout: 50_000 })
      .toContain('needle.txt')
    expect(session.initializationResult()).toHaveProperty('models')
  })

  it('passes any other request on, gives what the CLI answers, and nothing after the end', async () => {
    const { session } = shared
    expect(await session.control('get_binary_version')).toMatchObject({
      version: expect.stringMatching(/^\d/),
    })
    await expect(session.control('no_such_request')).rejects.toMatchObject({
      code: 'CONTROL_PROTOCOL',
      subtype: 'no_such_request',
    })
    await session.rename('A better title')
    await session.close()
    await expect(session.setModel('x')).rejects.toMatchObject({ code: 'SESSION_STATE' })
    const info = await getSessionInfo(session.id, { configDir: shared.run.offline.configDir })
    expect(info, 'it is renamed').toMatchObject({ customTitle: 'A better title' })
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
        { timeout: 50_000 },
      )
      .toBe('ended')
    expect(existsSync(join(run.cwd, 'made.txt'))).toBe(true)
    expect(run.model.requests[1]?.answered).toBe(true)
  })
})
