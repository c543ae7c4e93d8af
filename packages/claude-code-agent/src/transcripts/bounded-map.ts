/** `Promise.all` over a list with at most `limit` calls under way; results keep the order of the list. */
export async function boundedMap<Item, Result>(
  items: readonly Item[],
  limit: number,
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length)
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) results[index] = await call(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
