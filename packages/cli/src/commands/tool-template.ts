/** What `dorkos tools new` writes. It works as it stands. */
export function toolTemplate(name: string): string {
  return `// Your own tool. Running sessions get it within a second of each save; the model sees it as mcp__tools__${name}.
// Try it:  dorkos tools test ${name} --input '{"name":"Ada"}'
import { tool } from 'claude-code-agent'

export default tool({
  name: '${name}',

  // The model sees this, the name and the schema, and nothing else. Describe what it does, when to use it, what it returns, and its limits.
  description: 'Greets a person by name. Use it when the user wants to greet someone. Returns one sentence. Changes nothing.',

  // 'string', 'number', 'integer', 'boolean', 'object' or 'array'; a ? makes it optional. Zod works too: import { z } from 'zod'
  inputSchema: { name: 'string', politely: 'boolean?' },

  // The longest a call can take, in milliseconds.
  timeoutMs: 10_000,

  // The arguments are already validated. Return text, or throw: the model reads the error's message, so say what to do next.
  async handler({ name, politely = false }, { signal }) {
    if (name.trim() === '') throw new Error('The name is empty. Ask the user who to greet.')
    signal.throwIfAborted()
    return politely ? \`Good day, \${name}.\` : \`Hello, \${name}!\`
  },
})
`
}
