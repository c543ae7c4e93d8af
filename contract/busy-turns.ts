/** Turns that do not end by themselves, so that something can be said or done meanwhile. */
import { randomUUID } from 'node:crypto'
import { hang, toolUse } from '@dorkos/testkit'
import type { Cli } from './cli.ts'
import type { Rig } from './rig.ts'

/** For a command: waits for the file `go-on`, and not beyond the end of its folder. */
export const untilGoOn = 'while [ -d "$PWD" ] && [ ! -f go-on ]; do sleep 0.05; done'

/** A turn that waits for its model. */
export async function inAnswer(rig: Rig): Promise<Cli> {
  const cli = await rig.start()
  rig.script(hang({ afterDeltas: 1 }))
  cli.say('first')
  await rig.model.waitForRequest(1, { timeoutMs: 60_000 })
  return cli
}

/** A turn in a command that waits for `project/go-on`. */
export async function inTool(rig: Rig): Promise<Cli> {
  const cli = await rig.start()
  rig.script(toolUse('Bash', { command: `touch began; ${untilGoOn}` }))
  cli.say('first')
  await rig.poll(() => rig.has('project/began'))
  return cli
}

/** A turn that a kill cuts off in the middle of a call, once its transcript has that. */
export async function cutOffTurn(rig: Rig): Promise<{ id: string; transcript: string }> {
  const id = randomUUID()
  const transcript = `.claude/projects/${rig.cwd.replace(/[^a-zA-Z0-9]/g, '-')}/${id}.jsonl`
  const cli = await rig.start({ args: [`--session-id=${id}`] })
  rig.script(toolUse('Bash', { command: `touch began; ${untilGoOn}` }))
  cli.say('first')
  await rig.poll(
    () => rig.has('project/began') && rig.has(transcript) && rig.readNow(transcript).includes('"tool_use"'),
  )
  await cli.kill()
  await rig.write('project/go-on', '')
  return { id, transcript }
}
