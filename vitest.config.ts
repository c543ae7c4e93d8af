import { defineConfig } from 'vitest/config'

// Source and test folders only: the compiled copies under dist must not run a second time.
const whole = [
  'packages/*/src/**/*.test.{ts,tsx}',
  'packages/*/test/**/*.test.ts',
  'examples/**/*.test.ts',
  'contract/*.test.ts',
  'scripts/*.test.ts',
]

/** With a document. The page's modules keep what a tab keeps: `fresh-page.ts` has each file get them anew. */
const page = ['packages/client/src/**/*.test.tsx']

/** Starts neither the CLI nor a browser, as little as `page` does: `npm run test:fast`. A test beside its source is one of these. */
const fast = [
  'packages/*/src/**/*.test.ts',
  'packages/claude-code-agent/test/{faults-!(start),package}.test.ts',
  'packages/claude-code-agent/test/transport/{program-end,subprocess}.test.ts',
  'packages/client/test/left-out.test.ts',
  'packages/mcp-gateway/test/{bridge-servers,sign-in}.test.ts',
  'packages/scripted-model/test/*.test.ts',
  'packages/server/test/{exports,interleavings}.test.ts',
  'packages/server/test/mcp/kept-sign-ins.test.ts',
  'packages/server/test/model-gateway/{access,forwarding,proxies,sockets}.test.ts',
  'packages/server/test/tool-host/*.test.ts',
  'packages/server/test/transcripts/{several-folders,subagent-tail,transcript-index,transcript-reader}.test.ts',
  'packages/testkit/test/fake-cli{,-faults}.test.ts',
  'contract/{report,suite}.test.ts',
  'scripts/{boundaries,ensure-sandbox,locked-packages,no-shell,reserved-names,security-claims,test-user,walks,words}.test.ts',
]

/** From 25 on Node has a `localStorage` of its own, in place of the document's. */
const ownStorageOff = Number.parseInt(process.versions.node, 10) >= 25 ? ['--no-experimental-webstorage'] : []

/** A fast test that starts the CLI after all does not find it; and what waits for nothing real need not wait for minutes. */
const withoutCli = { CLAUDE_CODE_PATH: '/no-cli-in-fast-tests' }

export default defineConfig({
  test: {
    // Tests that start the real CLI wait on a process of 350 MB: generous limits, never assertions on time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 50_000 } },
    maxWorkers: '100%',
    // What is built is loaded as it is: it needs no transformation, file by file.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    reporters: ['default'],
    slowTestThreshold: 5_000,
    // Where files do not ask for their own, a worker loads what they share once: nothing of a file may outlive it.
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: fast, isolate: false, env: withoutCli, testTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: page,
          isolate: false,
          setupFiles: 'packages/client/test/support/fresh-page.ts',
          env: withoutCli,
          execArgv: ownStorageOff,
        },
      },
      {
        extends: true,
        test: { name: 'end-to-end', include: whole, exclude: [...fast, ...page], isolate: false },
      },
    ],
  },
})
