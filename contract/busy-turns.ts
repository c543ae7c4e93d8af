/** Turns that do not end by themselves, so that something can be said or done meanwhile. */
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
