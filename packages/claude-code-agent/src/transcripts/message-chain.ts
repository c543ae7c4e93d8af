/**
 * The conversation in a transcript: the way from its last leaf back to its root, as the CLI takes it on resume. Turns
 * that were rewound stay in the file as branches, and are left out. Pure.
 */
import type { TranscriptLink } from './transcript-link.ts'

export interface ChainOptions {
  /** Go on through compactions to what was said before them, instead of beginning at the last one. */
  readonly throughCompactions?: boolean
}

/** The links of the conversation in order. Safe with missing parents and with cycles. */
export function messageChain(links: readonly TranscriptLink[], options: ChainOptions = {}): TranscriptLink[] {
  const through = options.throughCompactions ?? false
  const byId = new Map(links.map((link) => [link.uuid, link]))
  const chain = chainFrom(lastLeaf(links, byId), byId, through)
  const complete = withSiblings(chain, links)
  return through ? complete : withKept(complete, byId)
}

/** The last entry that no other names as its parent; the last of all if each is one (a damaged file). */
function lastLeaf(
  links: readonly TranscriptLink[],
  byId: ReadonlyMap<string, TranscriptLink>,
): TranscriptLink | undefined {
  const parents = new Set(links.map((link) => link.parent))
  const leaf = links.findLast((link) => !parents.has(link.uuid)) ?? links.at(-1)
  // An entry that was written twice counts where it was written last.
  return leaf && byId.get(leaf.uuid)
}

function chainFrom(
  leaf: TranscriptLink | undefined,
  byId: ReadonlyMap<string, TranscriptLink>,
  throughCompactions: boolean,
): TranscriptLink[] {
  const seen = new Set<string>()
  const chain: TranscriptLink[] = []
  for (let at = leaf; at !== undefined && !seen.has(at.uuid); ) {
    seen.add(at.uuid)
    chain.push(at)
    const before: string | undefined = at.parent ?? (throughCompactions ? at.logicalParent : undefined)
    at = before === undefined ? undefined : byId.get(before)
  }
  return chain.reverse()
}

/**
 * Parallel tool calls branch: each result hangs on the block of its own call, and only the last one leads on. This puts
 * the other blocks of a message and their results back, after the last block that is in the chain.
 */
export function withSiblings<Link extends TranscriptLink>(
  chain: readonly Link[],
  links: readonly Link[],
): Link[] {
  const inChain = new Set(chain.map((link) => link.uuid))
  const lastBlock = new Map<string, string>()
  for (const link of chain) if (link.messageId !== undefined) lastBlock.set(link.messageId, link.uuid)
  const answered = new Set(chain.flatMap((link) => link.answers))
  const blocks = new Map<string, Link[]>()
  const results = new Map<string, Link[]>()
  const messageOf = new Map<string, string>()
  for (const link of links) {
    if (link.messageId !== undefined) messageOf.set(link.uuid, link.messageId)
    if (inChain.has(link.uuid)) continue
    const message = link.messageId ?? messageOf.get(link.parent ?? '')
    if (message === undefined || !lastBlock.has(message)) continue
    if (link.messageId !== undefined) append(blocks, message, link)
    else if (link.answers.length > 0 && !link.answers.some((call) => answered.has(call))) {
      for (const call of link.answers) answered.add(call)
      append(results, message, link)
    }
  }
  return chain.flatMap((link) => {
    const message = link.messageId
    if (message === undefined || lastBlock.get(message) !== link.uuid) return [link]
    return [link, ...(blocks.get(message) ?? []), ...(results.get(message) ?? [])]
  })
}

function append<Link extends TranscriptLink>(lists: Map<string, Link[]>, key: string, link: Link): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [link])
  else if (!list.some((other) => other.uuid === link.uuid)) list.push(link)
}

/** A compaction may keep the last messages before it: they are read after its summary. */
function withKept(
  chain: readonly TranscriptLink[],
  byId: ReadonlyMap<string, TranscriptLink>,
): TranscriptLink[] {
  const inChain = new Set(chain.map((link) => link.uuid))
  const kept = chain.find((link) => link.kept !== undefined)?.kept
  if (kept === undefined) return [...chain]
  const messages = kept.uuids
    .filter((uuid) => !inChain.has(uuid))
    .map((uuid) => byId.get(uuid))
    .filter((link) => link !== undefined)
  return chain.flatMap((link) => (link.uuid === kept.anchor ? [link, ...messages] : [link]))
}
