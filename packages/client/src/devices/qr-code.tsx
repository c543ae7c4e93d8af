import { useEffect, useState } from 'react'
import { qrPath } from './qr-path.ts'

interface Drawing {
  text: string
  size: number
  path: string
}

/** A QR code. It is dark on light in both themes, because cameras want it so. What draws it is loaded when it is needed. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [drawing, setDrawing] = useState<Drawing>()
  useEffect(() => {
    let stopped = false
    import('uqr').then(
      ({ encode }) => {
        if (stopped) return
        const { size, data } = encode(text, { ecc: 'M', border: 3 })
        setDrawing({ text, size, path: qrPath(data) })
      },
      // The link and the code are there without it.
      () => undefined,
    )
    return () => {
      stopped = true
    }
  }, [text])
  return (
    <div className="size-52 shrink-0 overflow-hidden rounded-lg border border-line bg-[#fff]">
      {drawing?.text === text && (
        <svg
          viewBox={`0 0 ${drawing.size} ${drawing.size}`}
          role="img"
          aria-label={label}
          className="size-full"
        >
          <path d={drawing.path} fill="#000" shapeRendering="crispEdges" />
        </svg>
      )}
    </div>
  )
}
