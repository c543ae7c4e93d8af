/** `dorkos mcp test | reconnect`: starts a server, and says whether it works. */
import { type CliContext, columnsOf } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { formatDuration } from '../../terminal/amounts.ts'
import { exactLine, fit } from '../../terminal/escape.ts'
import { renderOutcome } from '../../terminal/mcp/render-outcome.ts'
import { checkedName, type McpCommand, type McpFlags, runMcpCommand } from './mcp-command.ts'

export function testServer(
  context: CliContext,
  name: string,
  how: 'test' | 'reconnect',
  flags: McpFlags,
): Promise<ExitCode> {
  const params = { name: checkedName(name) }
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal, asAdmin, style, print, printJson } = command
    const { id } = await command.workspace(flags.workspace)
    // One that does not exist is not waited for.
    await client.getMcpServer({ params, query: { workspace_id: id }, signal })
    const call = { params, body: { workspace_id: id }, signal }
    const details = await asAdmin(() =>
      withProgress(command, { name, workspaceId: id }, () =>
        how === 'test' ? client.testMcpServer(call) : client.reconnectMcpServer(call),
      ),
    )
    if (flags.json) printJson(details)
    else print(`${renderOutcome(details, style).join('\n')}\n`)
    return details.server.health?.state === 'connected' ? exitCodes.completed : exitCodes.failed
  })
}

const pollMs = 1000

/** While somebody waits: for how long, and what the server said last. Elsewhere one line says that it is being waited for. */
async function withProgress<T>(
  { client, context, notify, signal }: McpCommand,
  { name, workspaceId }: { name: string; workspaceId: string },
  work: () => Promise<T>,
): Promise<T> {
  const { stderr } = context
  const waiting = `Waiting for ${exactLine(name)}…`
  if (stderr.isTTY !== true) {
    notify(`${waiting}\n`)
    return work()
  }
  const start = Date.now()
  let said = ''
  let isOver = false
  const show = () => {
    if (isOver) return
    const line = `${waiting} ${formatDuration(Date.now() - start)}${said === '' ? '' : `  ${said}`}`
    notify(`\r\x1b[2K${fit(line, columnsOf(stderr) - 1)}`)
  }
  const poll = async () => {
    const query = { workspace_id: workspaceId }
    const details = await client.getMcpServer({ params: { name }, query, signal }).catch(() => undefined)
    said = exactLine(details?.stderr.at(-1) ?? '')
    show()
  }
  const timer = setInterval(() => void poll(), pollMs)
  show()
  try {
    return await work()
  } finally {
    isOver = true
    clearInterval(timer)
    notify('\r\x1b[2K')
  }
}
