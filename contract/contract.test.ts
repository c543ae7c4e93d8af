/** The cases on which safety hangs, with every run of the tests. The whole suite: `npm run contract`. */
import { realCliPath } from '@dorkos/testkit'
import { describe, expect, it } from 'vitest'
import { failureText } from './report.ts'
import { LIMIT_MS, runCase, versionOf } from './run-cases.ts'
import { contractCases } from './suite.ts'

const cliPath = realCliPath()
const version = await versionOf(cliPath)

describe.concurrent(`what safety relies on in CLI ${version}`, { timeout: 2 * LIMIT_MS }, () => {
  for (const one of contractCases.filter(({ security }) => security))
    it(`${one.id}: ${one.title}`, async () => {
      const result = await runCase(one, { cliPath, version })
      expect(result.verdict === 'failed' ? failureText(contractCases, result) : undefined).toBeUndefined()
    })
})
