/** Who agents' commands are in namespaces of ours. */

export const agentName = 'agent'

/**
 * Root is somebody else there, with no rights but those over its own files: what it makes belongs to root outside, as the rest of the
 * workspace does. Others stay who they are.
 */
export function agentIds(): { uid: number; gid: number } {
  return isRoot() ? { uid: 1000, gid: 1000 } : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Arguments of bubblewrap. */
export function asAgentUser(): string[] {
  const { uid, gid } = agentIds()
  return ['--unshare-user', '--uid', String(uid), '--gid', String(gid), '--cap-drop', 'ALL']
}
