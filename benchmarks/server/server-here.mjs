/** A whole server in this process, in folders of its own or given. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {object} HereOptions
 * @property {string} [root] A folder that is kept, with the server's state; one of its own otherwise.
 * @property {string} [cliPath]
 * @property {string} [modelUrl] A scripted model's; none where the model is never asked.
 * @property {string} [configDir] The CLI's folder, with its transcripts.
 * @property {string} [tree] The root of another checkout, built, whose server it is.
 * @property {number} [spareProcesses] None otherwise: they are what is measured, or in the way of it.
 */

/** @param {HereOptions} options */
export async function startHere(options = {}) {
  const { startServer } = await importFrom(options.tree, 'server')
  const { createApiClient } = await importFrom(options.tree, 'shared')
  const root = options.root ?? (await realpath(await mkdtemp(join(tmpdir(), 'benchmark-server-'))))
  const cwd = join(root, 'workspace')
  await mkdir(cwd, { recursive: true })
  const env = await environment(root, options)
  const server = await startServer({ env, flags: { '--port': '0' }, cwd })
  const token = await server.ownToken()
  return {
    server,
    token,
    client: createApiClient({ baseUrl: server.url, token }),
    async close() {
      await server.close({ graceMs: 0 })
      if (options.root === undefined) await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/**
 * A package of ours, or of the other checkout.
 *
 * @template {'server' | 'shared'} Name
 * @param {string | undefined} tree
 * @param {Name} name
 * @returns {Promise<Name extends 'server' ? typeof import('@dorkos/server') : typeof import('@dorkos/shared')>}
 */
function importFrom(tree, name) {
  if (tree === undefined) return import(`@dorkos/${name}`)
  return import(pathToFileURL(join(tree, 'packages', name, 'dist/index.js')).href)
}

/** What `dorkos serve` is started with. @param {string} root @param {HereOptions} options */
export async function environment(root, { cliPath, modelUrl, configDir, spareProcesses = 0 }) {
  const home = join(root, 'state')
  await mkdir(home, { recursive: true, mode: 0o700 })
  if (cliPath !== undefined)
    await writeFile(join(home, 'config.jsonc'), JSON.stringify({ cliPath }), { mode: 0o600 })
  return {
    PATH: process.env.PATH,
    HOME: root,
    TMPDIR: root,
    DORKOS_HOME: home,
    DORKOS_SPARE_PROCESSES: String(spareProcesses),
    ANTHROPIC_API_KEY: 'sk-test-not-a-real-key',
    DORKOS_ANTHROPIC_BASE_URL: modelUrl ?? 'http://127.0.0.1:9',
    ...(configDir !== undefined && { CLAUDE_CONFIG_DIR: configDir }),
  }
}
