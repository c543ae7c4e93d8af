import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

function asUser(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/test-user.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stderr }
}

it('what runs as an ordinary user is not narrowed to nothing by a name of no suite, or of one that does not', () => {
  for (const name of ['no-such-suite', 'policy-hooks'])
    expect(asUser(name)).toEqual({ status: 1, stderr: expect.stringMatching(`: ${name}\n$`) })
  const sandboxed = ['hook-consents', 'agents-gain-nothing', 'accept-edits', 'contract/sandbox']
  expect(asUser(...sandboxed, '--help')).toEqual({ status: 0, stderr: '' })
  // With `--all` every one is. Nothing runs with `--help`.
  expect(asUser('--all', 'policy-hooks', '--help')).toEqual({ status: 0, stderr: '' })
  expect(asUser('--all', 'no-such-suite').status).toBe(1)
  // As `npm test` calls it, whose names may be of other tests.
  expect(asUser('--passWithNoTests', 'no-such-suite')).toEqual({ status: 0, stderr: '' })
})
