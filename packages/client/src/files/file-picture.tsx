import { useEffect, useState } from 'react'
import { api, errorText } from '../api.ts'
import { Picture } from '../render/picture.tsx'
import { text } from '../text/panel-text.ts'
import { Notice } from '../ui/notice.tsx'
import { Loading } from '../ui/spinner.tsx'

/** A picture of the workspace, fetched with this browser's token. */
export function FilePicture({ sessionId, path }: { sessionId: string; path: string }) {
  const [source, setSource] = useState<string>()
  const [fault, setFault] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    let url: string | undefined
    const load = async () => {
      const { signal } = abort
      const response = await api.getSessionFile({ params: { id: sessionId }, query: { path }, signal })
      const blob = await response.blob()
      if (signal.aborted) return
      url = URL.createObjectURL(blob)
      setSource(url)
    }
    load().catch((error: unknown) => abort.signal.aborted || setFault(errorText(error)))
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [sessionId, path])
  if (fault !== undefined) return <Notice tone="danger">{fault}</Notice>
  if (source === undefined) return <Loading />
  return <Picture source={source} alt={text.files.picture(path.split('/').at(-1) ?? path)} />
}
