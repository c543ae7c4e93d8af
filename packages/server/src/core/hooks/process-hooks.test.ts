import { workspaceHooksSchema } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { processHooks } from './process-hooks.ts'

const context = { files: { user: '/home/o/.claude/settings.json' }, fileHooks: true }
const quiet = { disabledByPolicy: false, managedOnly: false, pluginOnly: false, allDisabled: false }
const listed = (answer: object, given = context) => processHooks({ hooks: [], ...answer }, given)
const row = (more: object = {}) => ({
  event: 'Stop',
  matcher: '',
  source: 'userSettings',
  type: 'command',
  commandText: 'echo',
  ...more,
})

it('takes what stands in the file where the CLI tells it, and else what its menu shows', () => {
  const config = { type: 'command', command: 'a\u001bb', args: ['c d'] }
  const stored = row({ commandText: 'a␛b c d', editable: { matcher: 'M', config } })
  expect(
    listed({ hooks: [stored, row({ source: 'pluginHook', pluginName: 'p@mk', disabled: true })] }),
  ).toEqual({
    hooks: [
      {
        event: 'Stop',
        matcher: 'M',
        kind: 'command',
        runs: 'a\u001bb "c d"',
        source: 'user',
        file: '/home/o/.claude/settings.json',
      },
      { event: 'Stop', kind: 'command', runs: 'echo', source: 'plugin', plugin: 'p@mk', disabled: true },
    ],
    faults: [],
  })
})

it.each([
  [{ ...quiet, disabledByPolicy: true, allDisabled: true, policyHookCount: 2 }, { off: 'policy' }],
  [
    { ...quiet, managedOnly: true, policyHookCount: 2 },
    { off: 'managed_only', unlisted: 2 },
  ],
  [
    { ...quiet, pluginOnly: true, policyHookCount: 1 },
    { off: 'plugin_only', unlisted: 1 },
  ],
  [{ ...quiet, allDisabled: true, policyHookCount: 1 }, { off: 'settings' }],
  [{ ...quiet, policyHookCount: 1 }, {}],
])('says what a policy turns off: %j', (policy, expected) => {
  expect(listed({ policy })).toEqual({ hooks: [], faults: [], ...expected })
})

it('where no settings count, that the server itself turned them off is nothing to tell', () => {
  expect(listed({ policy: { ...quiet, allDisabled: true } }, { ...context, fileHooks: false })).toEqual({
    hooks: [],
    faults: [],
  })
})

it('of an answer of another form it is told, and nothing in a row breaks the contract', () => {
  expect(processHooks({}, context)).toBeUndefined()
  expect(processHooks({ hooks: 'x' }, context)).toBeUndefined()
  const odd = [undefined, null, 7, 'x', [], {}, { a: 1 }, -1, Number.NaN, '\u0000\u202e', 'x'.repeat(100_000)]
  const rows = odd.flatMap((value) => [
    value,
    ...[
      'event',
      'matcher',
      'source',
      'pluginName',
      'type',
      'commandText',
      'condition',
      'timeout',
      'editable',
    ].map((key) => row({ [key]: value, editable: undefined })),
    row({ editable: value }),
    row({ editable: { matcher: value, config: value } }),
    row({ editable: { matcher: '', config: { type: 'command', command: 'x', timeout: value, if: value } } }),
  ])
  const answer = { hooks: rows, policy: odd, errors: [...odd, { file: 5, path: {}, message: [] }] }
  const found = processHooks(answer, context)
  expect(workspaceHooksSchema.parse({ from: 'process', ...found })).toEqual({ from: 'process', ...found })
  expect(found?.hooks.length).toBeGreaterThan(odd.length * 8)
  for (const hook of found?.hooks ?? []) expect(JSON.stringify(hook).length).toBeLessThan(20_000)
})

it('of the same fault it tells once, and of many only some', () => {
  const errors = Array.from({ length: 100 }, (_, at) => ({ file: '/f', path: `p${at % 50}`, message: 'm' }))
  const faults = listed({ errors })?.faults
  expect(faults?.[0]).toEqual({ file: '/f', reason: 'p0: m' })
  expect(faults).toHaveLength(20)
})
