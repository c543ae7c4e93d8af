import type { Session } from '@dorkos/shared'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeEach, expect, it, vi } from 'vitest'
import { api } from '../api.ts'
import { ConversationContext, useConversation } from './conversation-context.tsx'
import { FolderBanner } from './folder-banner.tsx'

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))

const session = { id: 's', cwd: '/home/me/pri\u202evate' } as Session

function Page({ canApprove }: { canApprove: boolean }) {
  const context = useConversation()
  return (
    <ConversationContext value={{ ...context, canApprove }}>
      <FolderBanner session={session} />
    </ConversationContext>
  )
}

async function show(canApprove: boolean) {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  await act(async () => root.render(<Page canApprove={canApprove} />))
  const button = container.querySelector('button')
  return { container, button, close: () => act(async () => root.unmount()) }
}

it('names the folder, with hidden marks shown, and confirms it', async () => {
  const confirm = vi.spyOn(api, 'confirmFolder').mockResolvedValue(session)
  const { container, button, close } = await show(true)
  expect(container.textContent).toContain('/home/me/pri')
  expect(container.textContent).toContain('[U+202E]')
  await act(async () => button?.click())
  expect(confirm).toHaveBeenCalledWith({ params: { id: 's' }, body: {} })
  await close()
})

it('says why this browser cannot', async () => {
  const { container, button, close } = await show(false)
  expect(button).toBeNull()
  expect(container.textContent).toContain('“Approve” permission')
  await close()
})
