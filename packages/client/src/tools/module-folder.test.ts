import { expect, it } from 'vitest'
import { moduleServer } from './module-folder.tsx'

it('is the owner’s own server, or the workspace’s', () => {
  expect(moduleServer({})).toBe('tools')
  expect(moduleServer({ workspace_id: 'ws_1' })).toBe('workspace-tools')
})
