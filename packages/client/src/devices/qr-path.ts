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
