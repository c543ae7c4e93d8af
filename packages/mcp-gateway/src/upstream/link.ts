/** A way to one server: a transport of the protocol package, and what that does not provide. */
import type { Transport } from '@modelcontextprotocol/client'
import type { UpstreamError } from './upstream-error.ts'

export interface Link {
  transport: Transport
  /** Of a process on this machine, while it lives. */
  pid(): number | undefined
  /** Why it broke; `undefined` while it holds, or when it was closed. */
  failure(): UpstreamError | undefined
  /** Never rejects. A process is gone when it resolves. */
  close(): Promise<void>
}
