import { ImageDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { errorText } from '../api.ts'
import { text as words } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Picture } from './picture.tsx'

/** A picture that is fetched when it is asked for. */
export function PictureOnDemand({ label, load }: { label: string; load: () => Promise<Response> }) {
  const [source, setSource] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  useEffect(() => (source === undefined ? undefined : () => URL.revokeObjectURL(source)), [source])
  const show = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      setSource(URL.createObjectURL(await (await load()).blob()))
    } catch (error) {
      setFault(errorText(error))
    }
    setBusy(false)
  }
  if (source !== undefined) return <Picture source={source} />
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <Button size="sm" icon={ImageDown} busy={isBusy} onClick={() => void show()}>
        {label}
      </Button>
      {fault !== undefined && (
        <span role="alert" className="text-danger">
          {words.render.imageFailed(fault)}
        </span>
      )}
    </div>
  )
}
