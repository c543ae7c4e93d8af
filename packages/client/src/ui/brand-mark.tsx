/** The sign of DorkOS; as in public/favicon.svg. */
export function BrandMark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect width="32" height="32" rx="7" fill="#1f2937" />
      <path d="M10 8h6a8 8 0 0 1 0 16h-6z" fill="#5eead4" />
    </svg>
  )
}
