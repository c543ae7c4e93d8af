import type { CliContext } from './context.ts'

/** All that comes over standard input, up to its end. */
export async function readInput({ stdin }: Pick<CliContext, 'stdin'>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
