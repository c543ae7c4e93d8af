// One session for each CSV file in a folder, two at a time, with a progress bar: npm run example -- file-batch [folder]
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ClaudeCodeAgent, createSdkMcpServer, tool } from 'claude-code-agent'
import { Progress } from './progress.ts'

const folder = process.argv[2] ?? 'data'
const files = (await readdir(folder)).filter((name) => name.endsWith('.csv')).sort()
const summaries = new Map<string, { revenue: number; bestseller: string }>()

const readCsv = tool({
  name: 'read_csv',
  description: 'Returns the text of one CSV file with the columns product and euros.',
  inputSchema: { file: 'string' },
  annotations: { readOnlyHint: true },
  async handler({ file }) {
    // The model names the file, so it is looked up, never joined to a path as it is.
    if (!files.includes(file)) throw new Error(`No such file. There are: ${files.join(', ')}`)
    const text = await readFile(join(folder, file), 'utf8')
    if (!text.startsWith('product,euros\n')) throw new Error(`${file} has no header line product,euros`)
    return text
  },
})

const saveSummary = tool({
  name: 'save_summary',
  description:
    'Saves what you found out about a file: its total revenue in euros and the product that earned most.',
  inputSchema: { file: 'string', revenue: 'number', bestseller: 'string' },
  handler({ file, ...summary }) {
    summaries.set(file, summary)
    return 'Saved.'
  },
})

// One server serves all sessions, also those that run at the same time.
const agent = new ClaudeCodeAgent({
  mcpServers: { batch: createSdkMcpServer({ name: 'batch', tools: [readCsv, saveSummary] }) },
  allowedTools: ['mcp__batch__read_csv', 'mcp__batch__save_summary'],
  tools: [],
  maxConcurrentSessions: 2,
})

const progress = new Progress(files)
await Promise.all(files.map(processFile))
progress.end()

for (const file of files) {
  const summary = summaries.get(file)
  console.log(
    summary ? `${file}: ${summary.revenue} EUR, mostly ${summary.bestseller}` : `${file}: no summary`,
  )
}
const total = [...summaries.values()].reduce((sum, { revenue }) => sum + revenue, 0)
console.log(`${summaries.size} of ${files.length} files, ${total} EUR`)

async function processFile(file: string): Promise<void> {
  try {
    // Waits here while two other sessions run.
    const session = await agent.startSession({
      prompt: `Read ${file}, add up the euros, find the product that earned most, and save the summary.`,
    })
    progress.set(file, session.getState().state)
    session.on('stateChange', ({ to }) => progress.set(file, to))
    session.on('toolCall', ({ toolName }) => progress.note(file, `calls ${toolName}`))
    session.on('toolResult', ({ isError, content }) => isError && progress.note(file, `error: ${content}`))
    await session.waitForCompletion()
  } catch (error) {
    // One file that failed does not stop the others.
    progress.note(file, String(error))
    progress.set(file, 'failed')
  }
}
