/** Cases on which safety hangs as tests, against the CLI that is installed. The whole suite: `npm run contract`. */
import { realCliPath } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import type { ContractCase } from './case.ts'
import { failureText } from './report.ts'
import { LIMIT_MS, runCase, versionOf } from './run-cases.ts'

export async function testSecurityCases(cases: readonly ContractCase[]): Promise<void> {
  const cliPath = realCliPath()
  const version = await versionOf(cliPath)
  describe.concurrent(`what safety relies on in CLI ${version}`, { timeout: 2 * LIMIT_MS }, () => {
    for (const one of cases.filter(({ security }) => security)) {
      // What this machine cannot show has not passed: it is counted as skipped, under a title that says why.
      const reason = one.unavailable?.()
      const title = `${one.id}: ${one.title}${reason === undefined ? '' : ` (not tried: ${reason})`}`
      it.skipIf(reason !== undefined)(title, async () => {
        const result = await runCase(one, { cliPath, version })
        if (result.verdict !== 'passed') expect.fail(failureText(cases, result))
      })
    }
  })
}
