/** The server itself: health, status, configuration, tools. */
import type { ConfigService, StatusService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function serverRoutes(status: StatusService, config: ConfigService) {
  return {
    getHealth: () => status.health(),
    getStatus: () => status.status(),
    getConfig: () => config.view(),
    changeConfig: ({ caller, body }) => config.change(caller, body.set),
    listTools: () => status.tools(),
  } satisfies Partial<Handlers>
}
