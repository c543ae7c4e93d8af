/** The name of the MCP server that a folder of tool modules is: the owner's own, or the workspace's. */
export function moduleServer({ workspace_id }: { workspace_id?: string | undefined }): string {
  return workspace_id === undefined ? 'tools' : 'workspace-tools'
}
