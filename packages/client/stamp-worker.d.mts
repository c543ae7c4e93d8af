/** Writes into the built sw.js which build it is. */
export function stampWorker(folder: string): void
