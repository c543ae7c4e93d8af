export function McpServerPage(_props: { name: string }) {
  return null
}
