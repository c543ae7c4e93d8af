import { ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMedia } from '../browser/use-media.ts'
import { text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface FiltersProps {
  /** How many of them leave something out. */
  active: number
  children: ReactNode
}

/** Fields that choose what a list shows. On a phone they are behind one button, so that the list comes first. */
export function Filters({ active, children }: FiltersProps) {
  const isSmall = useMedia('(max-width: 639px)')
  const [open, setOpen] = useState(false)
  if (!isSmall) return children
  return (
    <>
      <Button icon={ListFilter} className="self-start" onClick={() => setOpen(true)}>
        {text.ui.filter(active)}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={text.ui.filter(0)}
        actions={
          <Button variant="primary" onClick={() => setOpen(false)}>
            {text.ui.done}
          </Button>
        }
      >
        <div className="pb-2">{children}</div>
      </Dialog>
    </>
  )
}
