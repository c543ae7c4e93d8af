import type { Reply } from '../reply.ts'
import { callTool, type Exchange, offeredTool } from './exchange.ts'

// The CLI's own tools on the files and the shell of the workspace.

export function runCommand(exchange: Exchange, match: RegExpExecArray): Reply {
  return bash(exchange, withoutTicks(match[1] ?? ''), 'Run the command that was asked for')
}

export function listFiles(exchange: Exchange): Reply {
  if (offeredTool(exchange, 'Glob') !== undefined) {
    return callTool(exchange, {
      name: 'Glob',
      input: { pattern: '*' },
      announce: 'I look at what is here.',
      report: 'These files are here:',
    })
  }
  return bash(exchange, 'ls -la', 'List the files of the workspace')
}

export function readFile(exchange: Exchange, match: RegExpExecArray): Reply {
  const file = withoutTicks(match[1] ?? '').replace(/^(["'])(.+)\1$/s, '$2')
  return callTool(exchange, {
    name: 'Read',
    input: { file_path: file },
    announce: `I read \`${file}\`.`,
    report: `This is in \`${file}\`:`,
  })
}

export function writeFile(exchange: Exchange, [, file = '', content = '']: RegExpExecArray): Reply {
  return callTool(exchange, {
    name: 'Write',
    input: { file_path: file, content },
    announce: `I write ${content.length} characters to \`${file}\`.`,
    report: () => `\`${file}\` is written. Say \`read ${file}\` to see it.`,
  })
}

function bash(exchange: Exchange, command: string, description: string): Reply {
  return callTool(exchange, {
    name: 'Bash',
    input: { command, description },
    announce: 'I run that in the shell.',
    report: 'The command printed:',
  })
}

/** Without the backticks that the whole of it is in. */
function withoutTicks(value: string): string {
  const trimmed = value.trim()
  const inside = /^```(?:\w*\n)?([^`]+)```$/.exec(trimmed) ?? /^`([^`]+)`$/.exec(trimmed)
  return (inside?.[1] ?? trimmed).trim()
}
