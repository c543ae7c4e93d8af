import { useState } from 'react'
import { text as words } from '../text/text.ts'
import { Dialog } from '../ui/dialog.tsx'

/** A picture of a tool. Small in the conversation, whole in a window. */
export function Picture({ source, alt = words.render.image }: { source: string; alt?: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={words.render.imageEnlarge}
        onClick={() => setOpen(true)}
        className="w-fit cursor-zoom-in rounded-lg border border-line bg-raised p-1"
      >
        <img src={source} alt={alt} className="max-h-80 max-w-full rounded-md object-contain" />
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={alt} size="xl">
        <img src={source} alt={alt} className="mx-auto max-h-[75dvh] max-w-full object-contain" />
      </Dialog>
    </>
  )
}
