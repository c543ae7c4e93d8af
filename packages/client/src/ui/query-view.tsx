import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { Loading } from './spinner.tsx'

/** What a query gives: its data, its error with a way to try again, or that it is on its way. Old data stays in sight. */
export function QueryView<T>({
  query,
  children,
}: {
  query: UseQueryResult<T>
  children: (data: T) => ReactNode
}) {
  const { data, isPending } = query
  if (isPending) return <Loading />
  return (
    <>
      <QueryFault query={query} />
      {data !== undefined && children(data)}
    </>
  )
}

/** Why a query failed, with a way to try again; nothing while it did not. */
export function QueryFault({
  query,
}: {
  query: Pick<UseQueryResult, 'error' | 'isFetching'> & { refetch: () => Promise<unknown> }
}) {
  if (!query.error) return null
  return (
    <Notice
      tone="danger"
      action={
        <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
          {text.ui.retry}
        </Button>
      }
    >
      {errorText(query.error)}
    </Notice>
  )
}
