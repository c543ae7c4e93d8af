import { type Script, toolUse } from '@dorkos/testkit'

/** What the scripted model says in `--demo` and in the test. */
export const script: Script = ({ toolResults: [sum] }) =>
  sum ? `17 + 25 is ${sum.text}.` : toolUse('mcp__calc__add', { a: 17, b: 25 })
