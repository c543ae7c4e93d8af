// What the scripted model says in the sessions of the screenshots: by words of the first message.
import { reply, text, thinking, toolUse } from '@dorkos/scripted-model'

const finding = `The checkout charges twice when the browser repeats the request: \`POST /orders\` has **no idempotency key**, so a retry after a timeout is a second order.

| request | before | after |
|---|---|---|
| first \`POST /orders\` | 201, charged | 201, charged |
| the same again | 201, **charged again** | 200, the first order |
| same key, other body | – | 409 |

\`\`\`ts
export async function createOrder(request: OrderRequest): Promise<Order> {
  const known = await orders.byKey(request.idempotencyKey)
  if (known) return sameBody(known, request) ? known.order : conflict()
  return orders.create(request) // unique index on the key: two at once cannot both win
}
\`\`\`

The retries are the payment provider's: with a timeout of $t$ and $n$ tries a customer waits at most $\\sum_{i=1}^{n} t \\cdot 2^{i}$ seconds.

\`\`\`mermaid
sequenceDiagram
  Browser->>Shop: POST /orders (key)
  Shop->>Bank: charge
  Bank--xShop: timeout
  Browser->>Shop: POST /orders (same key)
  Shop-->>Browser: 200, the first order
\`\`\`

Shall I add the unique index and a migration?
`

const plan = `## Move the catalogue to SQLite

1. Add \`src/store.ts\` with one connection and plain SQL
2. Migrate \`products.json\` with a script that can run twice
3. Change the three readers, keep their types
4. Delete the JSON file last, in a commit of its own

Nothing changes for the browser.`

/** The answers of one conversation, one for each request of the agent. */
function answersTo(prompt, shop) {
  if (prompt.includes('twice')) {
    return [
      [
        thinking('Two charges for one order: a retry somewhere. I look at the route, then at the client.'),
        text('I look at the order route and who calls it.'),
        toolUse('Glob', { pattern: 'src/**/*.ts', path: shop }),
        toolUse('Read', { file_path: `${shop}/src/orders.ts` }),
        toolUse('Read', { file_path: `${shop}/src/server.ts` }),
      ],
      [toolUse('Bash', { command: 'node --test test/', description: 'Run the tests' })],
      [text(finding)],
    ]
  }
  if (prompt.includes('404')) {
    return [
      [
        text('Unknown paths answer 200 because the handler ignores `request.url`. I mend that.'),
        toolUse('Edit', {
          file_path: `${shop}/src/server.ts`,
          old_string: "    response.end('hello')",
          new_string:
            "    const route = routes.get(request.url ?? '/')\n    response.statusCode = route ? 200 : 404\n    response.end(route?.() ?? 'not found')",
        }),
      ],
      [toolUse('Bash', { command: 'npm test --silent', description: 'Run the tests' })],
      [toolUse('mcp__everything__echo', { message: 'deployed to staging' })],
      [text('Done: unknown paths answer **404**, and a test shows it.')],
    ]
  }
  if (prompt.includes('release')) {
    return [
      [
        text('Everything is green. To publish I need your word for these:'),
        toolUse('Bash', {
          command: 'npm version minor && git push --follow-tags',
          description: 'Raise the version and push the tag',
        }),
        toolUse('Edit', {
          file_path: `${shop}/CHANGELOG.md`,
          old_string: '## Unreleased',
          new_string:
            '## Unreleased\n\n## 1.4.0\n\n- Orders have an idempotency key: a repeated request is no second order.',
        }),
      ],
      [text('Published.')],
    ]
  }
  if (prompt.includes('database')) {
    return [
      [
        toolUse('AskUserQuestion', {
          questions: [
            {
              question: 'Where should the catalogue live?',
              header: 'Storage',
              multiSelect: false,
              options: [
                { label: 'SQLite', description: 'One file, no service to run' },
                { label: 'Postgres', description: 'For several machines' },
                { label: 'Stay with JSON', description: 'Nothing changes' },
              ],
            },
            {
              question: 'What should I run before I commit?',
              header: 'Checks',
              multiSelect: true,
              options: [
                { label: 'Types', description: 'tsc --noEmit' },
                { label: 'Lint', description: 'biome check' },
                { label: 'Tests', description: 'node --test' },
              ],
            },
          ],
        }),
      ],
      [text('Thank you.')],
    ]
  }
  if (prompt.includes('old builds')) {
    return [
      [toolUse('Bash', { command: 'rm -rf dist build .cache', description: 'Delete the old builds' })],
      [
        text('Then I keep `build`, and look at what the archive holds.'),
        toolUse('Bash', { command: 'tar -tzf builds.tar.gz | tail -5', description: 'List the archive' }),
        toolUse('Read', { file_path: `${shop}/builds.md` }),
      ],
      [text('There is no archive: nothing was deleted. Say where the old builds are kept, and I go on.')],
    ]
  }
  if (prompt.includes('publish')) {
    return [
      [toolUse('Bash', { command: 'npm publish --access public', description: 'Publish the package' })],
      [text('Nobody answered, so nothing was published.')],
    ]
  }
  if (prompt.includes('whole shop')) return checkingTheShop()
  if (prompt.includes('dev server')) return serving()
  if (prompt.includes('the address')) {
    return [[toolUse('mcp__everything__trigger-elicitation-request', {})], [text('Thank you.')]]
  }
  if (prompt.includes('slowly')) {
    return [reply([text(`${finding}\n\n`.repeat(12))], { deltaDelayMs: 40, deltaSize: 12 })]
  }
  return [[text('Done. Nothing else needs to change.')]]
}

/** A command that goes on in the background: as loud as a server is, until the session ends. */
function serving() {
  const lines = [
    "printf '\\033[32mready\\033[0m in 214 ms, http://localhost:3000\\n'",
    "for path in / /products /orders; do printf 'GET %s \\033[36m200\\033[0m\\n' $path; done",
    "printf 'POST /orders \\033[33m409\\033[0m the key was used with another body\\n'",
    'while [ -d "$PWD" ]; do sleep 1; done',
  ]
  const command = lines.join('; ')
  return [
    [toolUse('Bash', { command, description: 'Run the dev server', run_in_background: true })],
    [text('It runs in the background, on port 3000.')],
  ]
}

function checkingTheShop() {
  const task = (subject, activeForm) => toolUse('TaskCreate', { subject, activeForm, description: subject })
  const delegated = {
    description: 'Review the order route',
    prompt: 'review orders.ts and report',
    subagent_type: 'general-purpose',
    run_in_background: false,
  }
  return [
    [
      text('I go through it in three steps.'),
      task('Review the order route', 'Reviewing the order route'),
      task('Check the invoices', 'Checking the invoices'),
      task('Write down what to do', 'Writing it down'),
    ],
    [toolUse('TaskUpdate', { taskId: '1', status: 'in_progress' })],
    [toolUse('Task', delegated)],
    [
      toolUse('TaskUpdate', { taskId: '1', status: 'completed' }),
      toolUse('TaskUpdate', { taskId: '2', status: 'in_progress' }),
    ],
    [toolUse('mcp__everything__get-tiny-image', {})],
    [text('The order route is fine. Next come the invoices.')],
  ]
}

/** @param {string} shop the folder of the workspace */
export function shotsModel(shop) {
  return (request) => {
    if (request.kind === 'subagent') return reviewing(request, shop)
    const answers = request.lastUserText.includes('plan')
      ? planning(request)
      : answersTo(request.lastUserText, shop)
    const since = request.messages.findLastIndex((message) => isPrompt(message))
    const said = request.messages.slice(since).filter(({ role }) => role === 'assistant').length
    return answers[Math.min(said, answers.length - 1)]
  }
}

function reviewing({ toolResults }, shop) {
  if (toolResults.length > 0) return 'One file, nothing wrong: every path returns the order that it made.'
  return [text('I read the route.'), toolUse('Read', { file_path: `${shop}/src/orders.ts` })]
}

/** The CLI shows the file that it named for the plan, not what the call says. */
function planning({ messages }) {
  const said = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [content] : content.map((block) => block.text ?? ''),
  )
  const file = said
    .map((part) => /plan (?:at|file already exists at) (\S+\.md)/i.exec(part)?.[1])
    .find(Boolean)
  return [
    [
      text('I look at the three readers, and write the plan down.'),
      toolUse('Write', { file_path: file, content: plan }),
    ],
    [toolUse('ExitPlanMode', { plan })],
    [text('I begin with the store.')],
  ]
}

function isPrompt({ role, content }) {
  if (role !== 'user') return false
  return typeof content === 'string' || !content.some(({ type }) => type === 'tool_result')
}
