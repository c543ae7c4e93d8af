/** The files that MCP servers are read from. */
import type { SourceReading } from '../mcp/found-server.ts'

export interface McpSources {
  /** Never rejects: what cannot be read is a fault of the reading. */
  read(workspacePath: string | undefined): Promise<SourceReading>
  /** Calls back when one of the reading's files may be different now. Returns what ends it. */
  watch(reading: SourceReading, readSince: number, onChange: () => void): () => void
}
