import { ListFilter } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useIsPhone } from '../browser/use-media.ts'
import { text } from '../text/text.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface Filters {
  /** On a phone: opens the fields. It stands in a row that is there in any case, so that the list comes first. */
  readonly button: ReactNode
  /** Elsewhere: the fields themselves, above the list. */
  readonly fields: ReactNode
}

/** Fields that choose what a list shows; `active` of them leave something out. */
export function useFilters(active: number, fields: ReactNode): Filters {
  const isSmall = useIsPhone()
  const [open, setOpen] = useState(false)
  if (!isSmall) return { button: null, fields }
  const button = (
    <>
      <Button icon={ListFilter} onClick={() => setOpen(true)}>
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
        <div className="pb-2">{fields}</div>
      </Dialog>
    </>
  )
  return { button, fields: null }
}
