export function WorkspacePage(_props: { id: string }) {
  return null
}
