/**
 * Loads other files of the page. Browsers remember for as long as the page lives that a file could not be fetched, so none is asked for
 * while the server is known to be away.
 */

/** Resolves when the server may be asked: at once, unless the connection is cut. */
export type LineReady = () => Promise<void>

const pauseMs = 300

let lineReady: LineReady = async () => {}

export function loadPartsWhen(ready: LineReady): void {
  lineReady = ready
}

/** Rejects when the part did not come twice: the line was cut meanwhile, or the server is of another version. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  await lineReady()
  try {
    return await load()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    await lineReady()
    return load()
  }
}
