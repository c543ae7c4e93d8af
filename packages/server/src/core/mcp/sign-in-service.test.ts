import { say } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import { AppError } from '../app-error.ts'
import { SignInService, type SignInServiceParts } from './sign-in-service.ts'

it('says that a sign-out is not over when tokens could not be deleted, and goes on with the others', async () => {
  const ended: string[] = []
  const audited: unknown[] = []
  const parts = {
    mcp: { entriesEverywhere: async () => [], supervisorKeys: () => [] },
    signIns: {
      all: () => ['one', 'two'].map((key) => ({ key, server: 'notes' })),
      async signOut(key: string) {
        ended.push(key)
        return {
          host: 'auth.example',
          ...(key === 'one' && { fault: new AppError('storage_full', say('cli_words', { text: 'full' })) }),
        }
      },
    },
    audit: async (_: unknown, ...what: unknown[]) => void audited.push(what),
  } as unknown as SignInServiceParts
  const ending = new SignInService(parts).endUnused(owner(), 'notes')
  await expect(ending).rejects.toMatchObject({
    code: 'storage_full',
    message: expect.stringContaining('sign out again'),
  })
  expect(ended).toEqual(['one', 'two'])
  expect(audited).toEqual([['mcp_signed_out', { server: 'notes', host: 'auth.example' }]])
})
