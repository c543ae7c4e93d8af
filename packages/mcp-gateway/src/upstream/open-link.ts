import type { Launch } from '../server-entry.ts'
import type { UpstreamCredentials } from './credentials.ts'
import { openHttpLink } from './http-link.ts'
import type { Link } from './link.ts'
import type { ShownStderr } from './shown-stderr.ts'
import { StdioTransport } from './stdio-transport.ts'

export interface LinkOptions {
  launch: Launch
  mark: string
  /** For a server that is reached by HTTP. */
  credentials: UpstreamCredentials | undefined
  stderr: ShownStderr
  /** Notifications may not arrive any more: it should be tried whether the server is there. */
  onSuspect(): void
}

export async function openLink(options: LinkOptions): Promise<Link> {
  const { launch } = options
  if (launch.type !== 'stdio') return openHttpLink(launch, options)
  const transport = new StdioTransport(launch, options.mark, options.stderr)
  return {
    transport,
    pid: () => transport.pid,
    failure: () => transport.failure,
    close: () => transport.close(),
  }
}
