/** Makes a child end with this program, however this program ends. */
import { guardExit, type ProcessGroup } from '@dorkos/processes'
import { defaultRegistryDir, registerChild, sweepOrphans } from './process-registry.ts'

/** Folders that this program has already swept: once, at its first child. */
const swept = new Set<string>()

/** Returns what lets the child go again. With `registryDir` false, no record is kept and nothing is swept. */
export function tieToProgram(
  group: ProcessGroup,
  marker: string,
  registryDir: string | false | undefined,
): () => void {
  const unguard = guardExit(group)
  const dir = registryDir ?? defaultRegistryDir(process.env)
  if (dir === false) return unguard
  const unregister = registerChild(dir, group, marker)
  if (!swept.has(dir)) {
    swept.add(dir)
    void sweepOrphans(dir)
  }
  return () => {
    unguard()
    unregister()
  }
}
