// The words of the page, as the sources of a tree have them: for scripts that use a page by what people read on it.
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** @param {string} tree The root of a checkout. */
export async function pageWords(tree) {
  const bundle = await rolldown({ input: join(tree, 'packages/client/src/text/page-text.ts') })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const { text } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
  return text
}
