/** The words of `text.ts` with those of the queue, which is loaded after the first look. */
import { queue } from './en/queue.ts'
import { text as first } from './text.ts'

export const text = { ...first, queue }
