/** How a call’s result is reported: what the tool returned beside its words, and why a call has none of its own. */
import { reply, toolUse } from '@dorkos/testkit'
import type { ContractCase } from '../case.ts'
import type { Cli, Frame } from '../cli.ts'
import { commandHook, preToolUse, subagent } from '../host-answers.ts'
import { transcriptOf } from '../transcript-files.ts'

const parts = ['packages/client/src/conversation/tools/result-parts.ts']
const card = ['packages/client/src/conversation/tools/tool-card.tsx']
const eventMap = 'packages/server/src/core/event-map'

interface ToldResult {
  words: string
  /** What the tool itself returned. */
  detail: Frame
  /** What is noted about the call. */
  note: Frame
}

/** The results of a process’s calls, in their order. */
function resultsOf(cli: Cli): ToldResult[] {
  return cli.all({ type: 'user' }).flatMap(({ message, tool_use_result, tool_result_meta = [] }) => {
    const blocks: Frame[] = Array.isArray(message.content) ? message.content : []
    return blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ content, tool_use_id }) => ({
        words: content,
        detail: tool_use_result,
        note: tool_result_meta.find(({ id }: Frame) => id === tool_use_id) ?? {},
      }))
  })
}

const without = ({ id: _, ...note }: Frame): Frame => note

export const callResultCases: ContractCase[] = [
  {
    id: 'call-results/details',
    title:
      'Beside its words a result has what the tool returned: the streams of a command, its task in the background, the patch of an edit; one that failed has words alone, with their marks. The CLI completes a call’s input',
    reliedOnBy: [...parts, `${eventMap}/map-assistant.ts`],
    expected: {
      command: { stdout: 'out', stderr: '', interrupted: false },
      failed: 'Exit code 3\nout',
      background: 'string',
      patch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-old', '+new', ' more'] }],
      refused: true,
      replacesAll: [false, false],
    },
    async observe(rig) {
      await rig.write('project/a.txt', 'old\nmore\n')
      const file = { file_path: `${rig.cwd}/a.txt` }
      const cli = await rig.start()
      rig.script(
        toolUse('Bash', { command: 'echo out' }),
        toolUse('Bash', { command: 'echo out; exit 3' }),
        toolUse('Bash', { command: 'true', run_in_background: true }),
        toolUse('Read', file),
        toolUse('Edit', { ...file, old_string: 'old', new_string: 'new' }),
        toolUse('Edit', { ...file, old_string: 'nowhere', new_string: 'new' }),
      )
      await cli.turn('go')
      const [command, failed, background, , edit, refused] = resultsOf(cli)
      const { stdout, stderr, interrupted } = command?.detail ?? {}
      const calls: Frame[] = cli.all({ type: 'assistant' }).flatMap(({ message }) => message.content)
      return {
        command: { stdout, stderr, interrupted },
        failed: failed?.words,
        background: typeof background?.detail.backgroundTaskId,
        patch: edit?.detail.structuredPatch,
        refused: /^<tool_use_error>[\s\S]+<\/tool_use_error>$/.test(refused?.words ?? ''),
        replacesAll: calls.filter(({ name }) => name === 'Edit').map(({ input }) => input.replace_all),
      }
    },
  },
  {
    id: 'call-results/not-run',
    title: 'A result of a call that did not run has a note why: who denied it, or that it was interrupted',
    reliedOnBy: [`${eventMap}/tool-result.ts`, ...card],
    expected: {
      byHook: {
        words: 'PreToolUse:Bash hook error: host says deny',
        non_execution_kind: 'permission-rule',
        permission_decision: { decision: 'reject', source: 'hook', reason_type: 'hook' },
      },
      byHost: {
        words: 'no',
        non_execution_kind: 'permission-rule',
        permission_decision: { decision: 'reject', source: 'user_reject' },
      },
      interrupted: { non_execution_kind: 'user-rejected' },
    },
    async observe(rig) {
      const cli = await rig.start({
        hooks: {
          PreToolUse: ({ tool_input }) => (tool_input.command === 'touch one' ? preToolUse('deny') : {}),
        },
        permit: ({ input }) =>
          input.command === 'touch two' ? { behavior: 'deny', message: 'no' } : undefined,
      })
      rig.script(toolUse('Bash', { command: 'touch one' }), toolUse('Bash', { command: 'touch two' }))
      await cli.turn('go')
      rig.script(toolUse('Bash', { command: 'touch three' }))
      cli.say('go')
      await cli.request('can_use_tool', 1)
      await cli.ask('interrupt')
      await cli.result(1)
      const [byHook, byHost, interrupted] = resultsOf(cli)
      return {
        byHook: { words: byHook?.words, ...without(byHook?.note) },
        byHost: { words: byHost?.words, ...without(byHost?.note) },
        interrupted: without(interrupted?.note),
      }
    },
  },
  {
    id: 'call-results/hooks',
    title:
      'With `--include-hook-events` the end of every hook of a file is reported, not of the host’s; the transcript has attachments of all but those that deny a call or keep the agent from stopping. One that takes longer than its `timeout` is cancelled',
    reliedOnBy: [`${eventMap}/map-hooks.ts`, ...card],
    expected: {
      reported: [
        'UserPromptSubmit: success 0 [said][]',
        'PreToolUse:Read: error 2 [][no]',
        'PostToolUse:Bash: error 1 [][broken]',
        'PostToolUse:Write: error 2 [][look again]',
        'PostToolUse:Edit: cancelled 1 [][]',
        'Stop: error 2 [][more]',
        'Stop: success 0 [][]',
      ],
      denied: 'PreToolUse:Read hook error: [echo no >&2; exit 2]: no\n',
      feedback: true,
      kept: [
        { type: 'hook_success', hookName: 'UserPromptSubmit', stdout: 'said\n', exitCode: 0 },
        {
          type: 'hook_non_blocking_error',
          hookName: 'PostToolUse:Bash',
          stderr: 'Failed with non-blocking status code: broken',
          stdout: '',
          exitCode: 1,
        },
        {
          type: 'hook_blocking_error',
          hookName: 'PostToolUse:Write',
          blockingError: {
            blockingError: '[echo look again >&2; exit 2]: look again\n',
            command: 'echo look again >&2; exit 2',
          },
        },
        { type: 'hook_cancelled', hookName: 'PostToolUse:Edit' },
      ],
    },
    async observe(rig) {
      const stop = '[ -f stopped ] || { touch stopped; echo more >&2; exit 2; }'
      const of = (matcher: string, command: string): Frame[] => [{ matcher, ...commandHook(command)[0] }]
      await rig.write('.claude/settings.json', {
        hooks: {
          UserPromptSubmit: commandHook('echo said'),
          PreToolUse: of('Read', 'echo no >&2; exit 2'),
          PostToolUse: [
            ...of('Bash', 'echo broken >&2; exit 1'),
            ...of('Write', 'echo look again >&2; exit 2'),
            { matcher: 'Edit', hooks: [{ type: 'command', command: 'sleep 60', timeout: 1 }] },
          ],
          Stop: commandHook(stop),
        },
      })
      const cli = await rig.start({
        sources: 'user',
        args: ['--include-hook-events'],
        hooks: { PreToolUse: () => ({}) },
      })
      const file = { file_path: `${rig.cwd}/a` }
      rig.script(
        toolUse('Read', file),
        toolUse('Bash', { command: 'true' }),
        toolUse('Write', { ...file, content: 'old' }),
        toolUse('Edit', { ...file, old_string: 'old', new_string: 'new' }),
      )
      const { session_id } = await cli.turn('go')
      await cli.end()
      const ends = cli.all({ subtype: 'hook_response' })
      const feedback = cli
        .all({ type: 'user', isSynthetic: true })
        .map(({ message }) => message.content[0].text)
      const attachments = (await transcriptOf(rig, session_id)).flatMap(({ attachment }) => attachment ?? [])
      return {
        reported: ends.map(
          ({ hook_name, outcome, exit_code, stdout, stderr }) =>
            `${hook_name}: ${outcome} ${exit_code} [${stdout.trim()}][${stderr.trim()}]`,
        ),
        denied: resultsOf(cli)[0]?.words,
        feedback: feedback.includes(`Stop hook feedback:\n[${stop}]: more\n`),
        kept: attachments
          .filter(({ type }) => type.startsWith('hook_'))
          .map(({ type, hookName, stdout, stderr, exitCode, blockingError }) => ({
            ...{ type, hookName, stdout, exitCode, blockingError },
            ...(stderr && { stderr }),
          })),
      }
    },
  },
  {
    id: 'call-results/subagent-text',
    title:
      'What a subagent says comes, under its call, only with `forwardSubagentText` in `initialize`; what it calls, always',
    reliedOnBy: [
      'packages/claude-code-agent/src/launch/initialize.ts',
      'packages/server/src/adapters/claude/agent.ts',
    ],
    expected: { unsaid: ['tool_use'], forwarded: ['text', 'text', 'tool_use'] },
    async observe(rig) {
      const heard = async (initialize: Frame): Promise<string[]> => {
        const cli = await rig.start({ initialize })
        const call = toolUse('Bash', { command: 'true' })
        rig.script(subagent('general-purpose'), reply(['looking', call]), 'the subagent is done')
        await cli.turn('go')
        const own = cli.all({ type: 'assistant' }).filter((frame) => frame.parent_tool_use_id !== null)
        return own.flatMap(({ message }) => message.content.map((one: Frame) => one.type)).sort()
      }
      return { unsaid: await heard({}), forwarded: await heard({ forwardSubagentText: true }) }
    },
  },
]
