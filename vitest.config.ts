import { defineConfig } from 'vitest/config'

// `include` names source and test folders only: the compiled copies under dist must not run a second time.
export default defineConfig({
  test: {
    include: [
      'packages/*/src/**/*.test.{ts,tsx}',
      'packages/*/test/**/*.test.ts',
      'examples/**/*.test.ts',
      'contract/*.test.ts',
      'scripts/*.test.ts',
    ],
    // Tests that start the real CLI wait on a process of 350 MB: generous limits, never assertions on time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // What is built is loaded as it is: it needs no transformation, file by file.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    reporters: ['default'],
  },
})
