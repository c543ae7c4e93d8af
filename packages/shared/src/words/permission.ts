/** A token's scope, as the page calls it and as the API does: the sentence is read on both. */
const names: Readonly<Record<string, string>> = {
  read: 'View',
  chat: 'Chat',
  approve: 'Approve',
  admin: 'Admin',
}

export function permission(scope: string): string {
  return `“${names[scope] ?? scope}” permission`
}
