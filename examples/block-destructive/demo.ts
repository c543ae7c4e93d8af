import { type Script, toolUse } from '@dorkos/testkit'

export const script: Script = ({ toolResults: [result] }) => {
  if (!result) return toolUse('Bash', { command: 'rm -rf ./*', description: 'Delete everything' })
  if (result.isError) return toolUse('Bash', { command: 'ls', description: 'List the folder' })
  return `I was not allowed to delete anything. Still here: ${result.text}`
}
