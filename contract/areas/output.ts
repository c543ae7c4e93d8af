/** Structured output. */
import { toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'

const verdict = ['packages/claude-code-agent/src/session/verdict.ts']
const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const withSchema = { args: [`--json-schema=${JSON.stringify(schema)}`], initialize: { jsonSchema: schema } }

export const outputCases: ContractCase[] = [
  {
    id: 'output/valid',
    title: 'With a schema the model gets the tool `StructuredOutput`; what fits is in `structured_output`',
    reliedOnBy: verdict,
    expected: { offered: true, output: { n: 1 }, subtype: 'success' },
    async observe(rig) {
      const cli = await rig.start(withSchema)
      rig.script(toolUse('StructuredOutput', { n: 1 }))
      const { structured_output: output, subtype } = await cli.turn('go')
      return { offered: rig.asked[0]?.toolNames.includes('StructuredOutput'), output, subtype }
    },
  },
  {
    id: 'output/none',
    title: 'A model that never calls it ends as a success without output: success is ours to decide',
    reliedOnBy: [...verdict, 'packages/claude-code-agent/src/session/messages.ts'],
    expected: { subtype: 'success', isError: false, hasOutput: false },
    async observe(rig) {
      const result = await (await rig.start(withSchema)).turn('go')
      return {
        subtype: result.subtype,
        isError: result.is_error,
        hasOutput: result.structured_output !== undefined,
      }
    },
  },
  {
    id: 'output/invalid',
    title:
      'What does not fit is reported to the model; after five tries the turn ends in an error of its own',
    reliedOnBy: verdict,
    expected: { subtype: 'error_max_structured_output_retries', calls: 5 },
    async observe(rig) {
      const cli = await rig.start(withSchema)
      rig.scriptBy(() => toolUse('StructuredOutput', { n: 'no number' }))
      const { subtype } = await cli.turn('go')
      return { subtype, calls: rig.asked.length }
    },
  },
  {
    id: 'output/bad-schema',
    title: 'A schema that is none ends the CLI with code 1 before any JSON',
    reliedOnBy: verdict,
    expected: { code: 1, frames: 0 },
    async observe(rig) {
      const cli = await rig.start({ initialize: false, args: ['--json-schema={"type":"nonsense"}'] })
      return { code: await cli.exited, frames: cli.frames.length }
    },
  },
]
