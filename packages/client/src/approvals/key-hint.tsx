/** The key that does the same, where there is a keyboard. Screen readers get it in the card's hint. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <kbd
      aria-hidden
      className="rounded-sm border border-current px-1 font-mono text-[0.65rem] leading-4 opacity-60 pointer-coarse:hidden"
    >
      {keys}
    </kbd>
  )
}
