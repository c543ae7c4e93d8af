export function WorkspacesPage() {
  return null
}
