/** `ping` and `get_server_info`. */
import type { McpToolDeps } from './mcp-tool-deps.ts'
import { answer, type ToolAnswer } from './tool-answer.ts'

export async function handlePing(): Promise<ToolAnswer> {
  return answer({ status: 'pong', timestamp: new Date().toISOString(), server: 'dorkos' })
}

/** By the environment alone, as the injection spec has it. */
export function handleGetServerInfo(args: { include_uptime?: boolean | undefined }): Promise<ToolAnswer> {
  return createGetServerInfoHandler({ serverInfo: () => ({ port: undefined, version: undefined }) })(args)
}

/** The port that is really bound; the environment's, as long as none is. */
export function createGetServerInfoHandler(
  deps: Pick<McpToolDeps, 'serverInfo'>,
): (args: { include_uptime?: boolean | undefined }) => Promise<ToolAnswer> {
  return async (args) => {
    const { port, version } = deps.serverInfo()
    const info = {
      product: 'DorkOS',
      port: String(port ?? process.env.DORKOS_PORT ?? '4242'),
      version: version ?? process.env.DORKOS_VERSION ?? 'development',
      ...(args.include_uptime ? { uptime_seconds: Math.floor(process.uptime()) } : {}),
    }
    return answer(info, 2)
  }
}
