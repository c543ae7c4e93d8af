/** The thread of the index: the only one that opens its file. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { projectsFolder } from '../find-transcript-file.ts'
import type { FromIndex, IndexRequest, IndexSetup, ToIndex } from '../protocol.ts'
import { isDamage, openIndexDatabase } from './index-database.ts'
import { IndexStore } from './index-store.ts'
import { Indexer } from './indexer.ts'
import { TranscriptWatch } from './watch-transcripts.ts'

const setup = workerData as IndexSetup
const knownPerMessage = 1000
const minPollMs = 3000

if (parentPort) {
  const port = parentPort
  const send = (message: FromIndex): void => port.postMessage(message)
  let opened: IndexStore | undefined
  const fail = (error: unknown): void => {
    closeQuietly(opened)
    send({
      failed: { reason: error instanceof Error ? error.message : String(error), damaged: isDamage(error) },
    })
    port.close()
    // Watches and timers must not keep a thread alive that nobody listens to.
    setImmediate(() => process.exit())
  }
  start(send)
    .then(async ({ indexer, store, watch }) => {
      opened = store
      port.on('message', (message: ToIndex) => {
        if ('follow' in message) return void follow(message.follow, indexer, watch)
        if (!('close' in message)) return void answer(indexer, message, send, fail)
        watch.close()
        indexer.close()
      })
      await indexer.run()
      store.close()
      port.close()
    })
    .catch(fail)
}

async function start(send: (message: FromIndex) => void) {
  const { database, discarded } = openIndexDatabase(setup.path, setup.rebuild)
  if (discarded !== undefined)
    send({
      log: {
        level: 'warn',
        fields: { reason: discarded },
        message: 'the index of the transcripts is made anew',
      },
    })
  const store = new IndexStore(database)
  const indexer = new Indexer({ configDirs: setup.configDirs, store, send })
  const folders = await Promise.all(setup.configDirs.map(projectsFolder))
  const known = indexer.table.load(folders.flatMap((folder) => (folder === undefined ? [] : `${folder}/`)))
  for (let at = 0; at < known.length; at += knownPerMessage)
    send({ known: known.slice(at, at + knownPerMessage) })
  send({ ready: indexer.table.progress })
  lowerPriority()
  const watch = new TranscriptWatch({
    configDirs: setup.configDirs,
    onFiles: (paths) => indexer.filesChanged(paths),
    onUnknown: () => indexer.rescan(),
    onDegraded: (reason) =>
      send({
        log: {
          level: 'warn',
          fields: { reason },
          message:
            'transcripts cannot be watched; they are looked at every few seconds instead (raise fs.inotify.max_user_watches)',
        },
      }),
    pollMs: () => Math.max(minPollMs, 20 * indexer.lastScanMs),
  })
  // Watched first, scanned then: nothing falls between.
  await watch.start()
  return { indexer, store, watch }
}

/** Watched first, scanned then, as at the start. */
async function follow(configDir: string, indexer: Indexer, watch: TranscriptWatch): Promise<void> {
  if (!setup.configDirs.includes(configDir)) setup.configDirs.push(configDir)
  await watch.scan()
  indexer.rescan()
}

async function answer(
  indexer: Indexer,
  request: IndexRequest,
  send: (message: FromIndex) => void,
  fail: (error: unknown) => void,
): Promise<void> {
  const { id } = request
  try {
    const value =
      request.name === 'search'
        ? indexer.search(request.input.text, request.input.which)
        : await indexer.refresh(request.input.sessionId)
    send({ id, value })
  } catch (error) {
    if (isDamage(error)) return fail(error)
    send({ id, failure: error instanceof Error ? error.message : String(error) })
  }
}

/** The thread that comes next must find no lock on the file. */
function closeQuietly(store: IndexStore | undefined): void {
  try {
    store?.close()
  } catch {
    // It is thrown away, or opened anew.
  }
}

/** Agents and the server come first. Linux has a priority for each thread; elsewhere it would be the whole program's. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, 10)
  } catch {
    // Then it runs like the others.
  }
}
