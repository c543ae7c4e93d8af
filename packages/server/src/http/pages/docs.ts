/** The documentation of the API as one static page: no script, everything in it found by the browser's own search. */
import type { OpenApiDocument, OpenApiOperation } from '@dorkos/shared'
import { schemaText } from './schema-text.ts'

export function docsHtml(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
  const schemas = Object.entries(document.components.schemas)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>DorkOS API</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<h1>DorkOS API <span class="soft">${escapeHtml(String(document.info.version))}</span></h1>
<p>${codeHtml(String(document.info.description))} As a document: <a href="/api/openapi.json">openapi.json</a>.</p>
<p>Send <code>Authorization: Bearer …</code> with every request. Bodies are JSON. Each operation names the scope that its token needs.</p>
<nav aria-label="Groups">${tags.map((tag) => `<a href="#tag-${tag}">${tag}</a>`).join('')}<a href="#errors">errors</a><a href="#schemas">schemas</a></nav>
${tags
  .map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag))
    return `<h2 id="tag-${tag}">${tag}</h2>\n${own.map((entry) => operationHtml(entry.method, entry.path, entry.operation)).join('\n')}`
  })
  .join('\n')}
<h2 id="errors">errors</h2>
${errorsHtml(document)}
<h2 id="schemas">schemas</h2>
${schemas.map(([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${schemaHtml(schema)}</section>`).join('\n')}
</body>
</html>
`
}

function operationHtml(method: string, path: string, operation: OpenApiOperation): string {
  return `<section id="${operation.operationId}">
<span class="scope">${operation['x-scope']}</span>
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(operation.summary)}. <span class="soft">${operation.operationId}</span></p>
${parametersHtml(operation)}${bodyHtml(operation)}${responsesHtml(operation)}</section>`
}

function parametersHtml({ parameters }: OpenApiOperation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: location, required, schema }) =>
      `<dt><code>${escapeHtml(name)}</code> ${location}${required ? '' : ', optional'}</dt><dd><code>${linked(schemaText(schema))}</code></dd>`,
  )
  return `<dl>${rows.join('')}</dl>\n`
}

function bodyHtml({ requestBody }: OpenApiOperation): string {
  const schema = schemaOf(requestBody)
  return schema === undefined ? '' : `<div>Body${schemaHtml(schema)}</div>\n`
}

function responsesHtml({ responses }: OpenApiOperation): string {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => {
      const types = Object.keys((response.content ?? {}) as object).join(', ')
      const schema = schemaOf(response)
      const about = `<div>Answers ${status} <span class="soft">${escapeHtml(types)} ${codeHtml(String(response.description ?? ''))}</span>`
      return `${about}${schema === undefined ? '' : schemaHtml(schema)}${streamHtml(response)}</div>\n`
    })
    .join('')
}

function streamHtml(response: Record<string, unknown>): string {
  const content = response.content as Record<string, { schema?: Record<string, unknown> }> | undefined
  const description = content?.['text/event-stream']?.schema?.description
  return description === undefined ? '' : `<p class="soft">${codeHtml(String(description))}</p>`
}

/** Escaped, with what stands between backticks as code. */
function codeHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function errorsHtml({ components }: OpenApiDocument): string {
  const rows = Object.entries(components.responses)
    .filter(([name]) => name !== 'Problem')
    .map(([name, { description }]) => {
      const lines = codeHtml(String(description)).replaceAll('\n\n', '<br>')
      return `<dt>${name.replace('Problem', '')}</dt><dd>${lines}</dd>`
    })
  return `<section><dl>${rows.join('')}</dl></section>`
}

function schemaOf(part: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const content = part?.content as Record<string, { schema?: Record<string, unknown> }> | undefined
  return content?.['application/json']?.schema
}

function schemaHtml(schema: Record<string, unknown>): string {
  return `<pre><code>${linked(schemaText(schema))}</code></pre>`
}

/** Names of schemas, which `schemaText` marks with `@`, become links. */
function linked(text: string): string {
  return escapeHtml(text).replace(/@(\w+)/g, '<a href="#schema-$1">$1</a>')
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
