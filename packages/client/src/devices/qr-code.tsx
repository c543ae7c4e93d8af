import { useEffect, useState } from 'react'

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

/** Dark modules of a QR code as the path of an SVG: one rectangle for each run in a row. */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const runs: string[] = []
      for (let x = 0; x < row.length; x += 1) {
        if (!row[x]) continue
        const start = x
        while (row[x + 1]) x += 1
        runs.push(`M${start} ${y}h${x - start + 1}v1H${start}z`)
      }
      return runs
    })
    .join('')
}
