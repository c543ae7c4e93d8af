import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { text } from '../text/text.ts'

/** While files are dragged over the page, all of it takes them. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [active, setActive] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => setActive(false)
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setActive(true)
      // There is no event for a drag that ends elsewhere; but while it goes on, this one comes again and again.
      clearTimeout(timer)
      timer = setTimeout(hide, 400)
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      hide()
      take.current([...event.dataTransfer.files])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('drop', drop)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('dragover', over)
      window.removeEventListener('drop', drop)
    }
  }, [])
  if (!active) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center bg-ground/85 p-6">
      <div className="flex flex-col items-center gap-2 rounded-xl border-2 border-dashed border-ink bg-card px-10 py-8 text-center">
        <Upload aria-hidden size={28} />
        <p className="font-medium">{text.composer.dropHere}</p>
        <p className="text-sm text-soft">{text.composer.dropHint}</p>
      </div>
    </div>
  )
}
