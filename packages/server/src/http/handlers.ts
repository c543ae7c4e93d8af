/** The handler of every endpoint in the table. One that is missing, or of the wrong shape, does not compile. */
import type { Services } from '../core/services.ts'
import type { FailureLimits } from './failure-limit.ts'
import type { FollowDeps } from './follow-sessions.ts'
import type { Handlers } from './route.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { authRoutes } from './routes/auth.ts'
import { costRoutes } from './routes/costs.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes } from './routes/files.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { messageRoutes } from './routes/messages.ts'
import { serverRoutes } from './routes/server.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { workspaceRoutes } from './routes/workspaces.ts'
import { createDrivingCheck } from './session-rights.ts'

export function createHandlers(services: Services, follow: FollowDeps, failures: FailureLimits): Handlers {
  const checkDriving = createDrivingCheck(services.sessions, services.config)
  return {
    ...serverRoutes(services.status, services.config),
    ...authRoutes(services.auth, failures),
    ...workspaceRoutes(services.workspaces, services.hooks, services.commands),
    ...fileRoutes(services.files, services.sessions),
    ...sessionRoutes(services.sessions, services.config, checkDriving),
    ...messageRoutes(services.sessions, follow, checkDriving),
    ...eventRoutes(follow),
    ...approvalRoutes(services.approvals, services.rules, services.audit),
    ...costRoutes(services.costs),
    ...mcpRoutes(services.mcp),
  }
}
