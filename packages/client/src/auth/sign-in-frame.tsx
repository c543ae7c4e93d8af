import type { ReactNode } from 'react'
import { BrandMark } from '../ui/brand-mark.tsx'

/** The one card in the middle that a signed-out page is. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 pt-[calc(env(safe-area-inset-top)+1.5rem)] pb-[calc(env(safe-area-inset-bottom)+1.5rem)]">
      <div className="flex w-full max-w-md flex-col gap-5 rounded-xl border border-line bg-card p-5 sm:p-7">
        <header className="flex items-center gap-3">
          <BrandMark size={36} />
          <h1 className="text-xl font-semibold">{title}</h1>
        </header>
        {children}
      </div>
    </main>
  )
}
