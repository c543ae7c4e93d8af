/** The server itself: health, status, configuration, tools. */
import type { ConfigService, StatusService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function serverRoutes(status: StatusService, config: ConfigService) {
  return {
    getHealth: () => status.health(),
    getStatus: ({ actor }) => status.status(actor),
    getConfig: ({ actor }) => config.view(actor),
    changeConfig: ({ actor, body }) => config.change(actor, body.set),
    listTools: ({ actor }) => status.tools(actor),
  } satisfies Partial<Handlers>
}
