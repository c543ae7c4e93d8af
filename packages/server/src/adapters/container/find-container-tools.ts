/** What containers are made with here: bubblewrap, and socat for the way to the model gateway. */
import { type Saying, say } from '@dorkos/shared'
import { asAgentUser } from '../system/agent-user.ts'
import { findProgram, noNamespaces, tryBubblewrap } from '../system/find-sandbox.ts'
import { closedProc } from '../system/kernel-files.ts'
import { mayChangeUser } from '../system/owner-namespace.ts'

export interface ContainerTools {
  bwrap: string
  socat: string
  /** That make the container, as this version of bubblewrap knows them. */
  flags: readonly string[]
  /** The same where root is to become somebody in it: it is made in a namespace for the two. */
  flagsForOwner: readonly string[]
}

export type FoundContainerTools = { tools: ContainerTools } | { tools: undefined; reason: Saying }

const common = ['--die-with-parent', '--hostname', 'container']
/** Nothing of this machine's is shared, nobody in it has rights over another's, and it goes when the program that made it does. */
const isolation = ['--unshare-all', ...asAgentUser(), ...common]
const flagsForOwner = [
  ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
  ...mayChangeUser,
  ...common,
]
/** Takes away the ways into the kernel that new namespaces open. Bubblewrap has it since 0.8. */
const noInnerNamespaces = '--disable-userns'

export async function findContainerTools(
  env: Record<string, string | undefined>,
  platform = process.platform,
): Promise<FoundContainerTools> {
  if (platform !== 'linux') return no(say('containers_not_for_platform', { platform }))
  const [bwrap, socat] = await Promise.all([findProgram('bwrap', env), findProgram('socat', env)])
  if (!bwrap || !socat) {
    const missing = [...(bwrap ? [] : ['bubblewrap']), ...(socat ? [] : ['socat'])]
    return no(say('sandbox_tools_missing', { tools: missing }))
  }
  const best = [...isolation, noInnerNamespaces]
  if ((await tryBubblewrap(bwrap, best, closedProc())) === undefined)
    return { tools: { bwrap, socat, flags: best, flagsForOwner } }
  const fault = await tryBubblewrap(bwrap, isolation, closedProc())
  if (fault === undefined) return { tools: { bwrap, socat, flags: isolation, flagsForOwner } }
  return no(noNamespaces(fault))
}

function no(reason: Saying): FoundContainerTools {
  return { tools: undefined, reason }
}
