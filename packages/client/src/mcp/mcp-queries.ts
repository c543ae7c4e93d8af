/** What the server knows about MCP servers, and the way to change it. Events of the server make all of `['mcp', …]` new. */
import type { McpList, McpServerDetails } from '@dorkos/shared'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, errorText } from '../api.ts'
import { toast } from '../ui/toast.tsx'

/** The part of a query or body that names the workspace; undefined is the main one. */
export const workspaceQuery = (workspaceId: string | undefined) =>
  workspaceId === undefined ? {} : { workspace_id: workspaceId }

export function useMcpList(workspaceId: string | undefined, enabled = true): UseQueryResult<McpList> {
  return useQuery({
    queryKey: ['mcp', 'list', workspaceId ?? 'main'],
    queryFn: ({ signal }) => api.listMcpServers({ query: workspaceQuery(workspaceId), signal }),
    enabled,
  })
}

function serverKey(name: string, workspaceId: string | undefined) {
  return ['mcp', 'server', workspaceId ?? 'main', name]
}

export function useMcpServer(
  name: string,
  workspaceId: string | undefined,
  enabled = true,
): UseQueryResult<McpServerDetails> {
  return useQuery({
    queryKey: serverKey(name, workspaceId),
    queryFn: ({ signal }) =>
      api.getMcpServer({ params: { name }, query: workspaceQuery(workspaceId), signal }),
    enabled,
  })
}

export function useSessionMcp(sessionId: string): UseQueryResult<McpList> {
  return useQuery({
    queryKey: ['mcp', 'session', sessionId],
    queryFn: ({ signal }) => api.getSessionMcp({ params: { id: sessionId }, signal }),
  })
}

export interface McpChange {
  busy: boolean
  /** Says what went wrong; answers with undefined then. Afterwards everything about MCP is asked for anew. */
  run<T>(work: () => Promise<T>): Promise<T | undefined>
}

/** One change at a time. */
export function useMcpChange(): McpChange {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async run(work) {
      setBusy(true)
      try {
        return await work()
      } catch (error) {
        toast.error(errorText(error))
        return undefined
      } finally {
        await queries.invalidateQueries({ queryKey: ['mcp'] }).catch(() => undefined)
        setBusy(false)
      }
    },
  }
}
