// What the demo model says of itself.

export const INTRODUCTION =
  "I am DorkOS's demo model: a set of rules, not Claude. I answer because no key for a model is configured. " +
  'I understand nothing, but what I set off is real: tools, approvals, questions, streaming.'

export const SUGGESTIONS = `Things to try:

- **DorkOS's own tools**: \`ping\`, \`server info\`, \`how many sessions\`, \`list sessions\`, \`active sessions\`, \`session details <id>\`, \`config\`, \`set config key=value\`, \`costs\`
- **Shell and files** that are only looked at: \`run ls -la\`, \`list files\`, \`read README.md\`
- **Shell and files, with your approval**: \`run touch made.txt\`, \`write hello.txt: Hello!\`
- **Any tool of an MCP server, or of your own**: \`call tools greet {"name": "Ada"}\`
- **Questions and lists**: \`ask me something\`, \`to-do list\`, and \`plan\` in the mode Plan
- **How answers arrive**: \`think\`, \`stream\`, \`error\`, \`subagent\`

With an API key, or \`model: anthropic\` and a login, Claude answers instead.`

export const LONG_ANSWER = `# A long answer

This text is the same every time. It is here to be **watched while it arrives**: in small pieces, a few characters at once,
as a real model sends them.

## What to look at

1. The page shows each piece when it comes, and stays where you scrolled to.
2. Close the page and open it again: the text goes on, with nothing lost and nothing twice.
3. Interrupt it. The session is ready for your next message at once.

## A list

- plain text, *emphasis*, **strong words** and \`code\`
- a [link](https://example.com/)
  - an item inside an item
  - and one more, with äöü, 漢字 and 🎈

## A table

| part | what it does | where |
|---|---|---|
| model gateway | holds the key, counts, refuses over budget | server |
| event log | keeps every event before it is shown | server |
| approval | asks a person before a tool runs | page |

## Code

\`\`\`ts
interface Greeting {
  name: string
  times: number
}

export function greet({ name, times }: Greeting): string {
  return Array.from({ length: times }, () => \`Hello, \${name}!\`).join('\\n')
}
\`\`\`

> A quotation, to see how that looks.

## And the rest

A paragraph that is long enough to wrap on every screen: the agent's process stays alive between turns, so that a second
message is answered in milliseconds; what it does is written down before it is shown; and what it may do is decided by a
person or by a rule that a person wrote, never by the agent itself.

That was all. Say \`help\` for more to try.
`

export const THOUGHTS =
  'The person asked me to think. I am a set of rules, so I do not really think, but I can show what it looks like. ' +
  'First I note what was asked. Then I note that I have no opinion of my own. Then I decide to say so.'
