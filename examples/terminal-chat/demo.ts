import { reply, type Script, toolUse } from '@dorkos/testkit'

/** Answers slowly enough to see the words come; "touch <name>" makes it ask for permission. */
export const script: Script = ({ lastUserText, toolResults: [result] }) => {
  if (result) return result.isError ? 'As you wish: I left it alone.' : 'Done.'
  const [, name] = /touch (\S+)/.exec(lastUserText) ?? []
  if (name) return toolUse('Bash', { command: `touch ${name}`, description: 'Create an empty file' })
  return reply([`You said: ${lastUserText}. Say "touch some-file" and I will ask before I do it.`], {
    deltaSize: 4,
    deltaDelayMs: 20,
  })
}
