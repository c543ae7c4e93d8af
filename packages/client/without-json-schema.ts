/**
 * Leaves zod's generator of JSON schemas out of the page. Every schema of zod's main entry carries it as a method, so no bundler can see
 * that nobody calls it here: the server is what writes JSON schemas. It is a fifth of what zod weighs.
 */
import type { Plugin } from 'vite'

const modules = /[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/

export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    transform: {
      filter: { id: modules },
      handler: (code) => ({ code: absentModule(code), map: null }),
    },
  }
}

/** A module with the same exports. Called, they say why they are not there; what makes a method makes one that does so when called. */
export function absentModule(code: string): string {
  const names = [
    ...[...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name),
    ...[...code.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map(([, name]) => name),
  ]
  const exported = names.map((name) => `${name?.startsWith('create') ? 'makesAbsent' : 'absent'} as ${name}`)
  return `const absent = () => { throw new Error('JSON schemas are not made in the page: see without-json-schema.ts.') }
const makesAbsent = () => absent
export { ${exported.join(', ')} }
`
}
