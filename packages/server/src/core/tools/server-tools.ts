/** `ping` and `get_server_info`. */
import { ownerPrincipal, serverActor } from '../actor.ts'
import type { ServerToolDeps } from './mcp-tool-deps.ts'
import { answer, type ToolAnswer, type ToolCaller } from './tool-answer.ts'
import { visibilityFor } from './visible-sessions.ts'

export async function handlePing(): Promise<ToolAnswer> {
  return answer({ status: 'pong', timestamp: new Date().toISOString(), server: 'dorkos' })
}

/** By the environment alone, as the injection spec has it. */
export function handleGetServerInfo(args: { include_uptime?: boolean | undefined }): Promise<ToolAnswer> {
  return createGetServerInfoHandler({
    serverInfo: () => ({ port: undefined, version: undefined }),
    visibilityOf: async () => ({ actor: serverActor(ownerPrincipal, ['read']), kind: 'all' }),
  })(args)
}

/** The port that is really bound; the environment's, as long as none is. */
export function createGetServerInfoHandler(
  deps: Pick<ServerToolDeps, 'serverInfo' | 'visibilityOf'>,
): (args: { include_uptime?: boolean | undefined }, caller?: ToolCaller) => Promise<ToolAnswer> {
  return async (args, caller) => {
    const { port, version } = deps.serverInfo()
    const visibility = await visibilityFor(deps, caller)
    if (visibility.kind !== 'all') return answer({ product: 'DorkOS', version }, 2)
    const info = {
      product: 'DorkOS',
      port: String(port ?? process.env.DORKOS_PORT ?? '4242'),
      version: version ?? process.env.DORKOS_VERSION ?? 'development',
      ...(args.include_uptime ? { uptime_seconds: Math.floor(process.uptime()) } : {}),
    }
    return answer(info, 2)
  }
}
