import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { Notice } from '../ui/notice.tsx'
import { CodeForm } from './code-form.tsx'
import { PairingPanel } from './pairing-panel.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

interface SignInPageProps {
  why: 'no-token' | 'refused' | 'left'
  /** Why a sign-in by link did not work. */
  fault: string | undefined
}

/** All ways in, for a browser without a token. The address stays as it is, so that one comes out where one wanted to go. */
export function SignInPage({ why, fault }: SignInPageProps) {
  return (
    <SignInFrame title={text.auth.title}>
      {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
      {fault === undefined && why === 'refused' && <Notice tone="warn">{text.auth.refused}</Notice>}
      {fault === undefined && why === 'left' && <Notice tone="neutral">{text.auth.left}</Notice>}
      <CodeForm />
      <Way title={text.auth.linkHeading}>
        <p className="text-sm text-soft">
          {text.auth.linkBefore}{' '}
          <kbd className="rounded border border-line-strong bg-raised px-1.5 py-0.5 font-mono text-text">
            {text.auth.linkKey}
          </kbd>{' '}
          {text.auth.linkAfter}
        </p>
      </Way>
      <Way title={text.auth.pairHeading}>
        <PairingPanel />
      </Way>
    </SignInFrame>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2 border-t border-line pt-4">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  )
}
