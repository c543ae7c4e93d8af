import type { UserMessage } from './both-sdks.ts'

export const said = (content: string, fields: Partial<UserMessage> = {}): UserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  ...fields,
})

export interface Mailbox {
  /** The next message; without one, the end. */
  post(message?: UserMessage): void
  messages(): AsyncGenerator<UserMessage & { [key: string]: unknown }, void>
}

/** Streaming input that yields what is posted, when it is posted. */
export function mailbox(...first: UserMessage[]): Mailbox {
  const posted: (UserMessage | undefined)[] = [...first]
  let wake: () => void = () => {}
  return {
    post(message) {
      posted.push(message)
      wake()
    },
    async *messages() {
      for (;;) {
        while (posted.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        const message = posted.shift()
        if (!message) return
        yield message as UserMessage & { [key: string]: unknown }
      }
    },
  }
}
