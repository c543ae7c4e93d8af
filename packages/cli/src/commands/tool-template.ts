/** What `dorkos tools new` writes. It works as it stands. */
export function toolTemplate(name: string): string {
  return `// A tool of your own. Running sessions have it within a second of each save: the model knows it as mcp__tools__${name}.
// Try it:  dorkos tools test ${name} --input '{"name":"Ada"}'
import { tool } from 'claude-code-agent'

export default tool({
  name: '${name}',

  // The model sees this, the name and the schema, and nothing else. Say what it does, when to use it, what it returns, and its limits.
  description: 'Greets a person by name. Use it when the user wants somebody greeted. Returns one sentence. Changes nothing.',

  // 'string', 'number', 'integer', 'boolean', 'object' or 'array'; a ? makes it optional. Zod works too: import { z } from 'zod'
  inputSchema: { name: 'string', politely: 'boolean?' },

  // A call may take this many milliseconds.
  timeoutMs: 10_000,

  // The arguments were checked. Return a text, or throw: the model reads the error's message, so say what to do next.
  async handler({ name, politely = false }, { signal }) {
    if (name.trim() === '') throw new Error('The name is empty; ask the user whom to greet.')
    signal.throwIfAborted()
    return politely ? \`Good day, \${name}.\` : \`Hello, \${name}!\`
  },
})
`
}
