import { ArrowLeft, Info, type LucideIcon } from 'lucide-react'
import { createContext, type ReactNode } from 'react'
import { Link } from 'wouter'
import { text } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { Popover } from './popover.tsx'

/** What a page that has a header of its own puts at its start: the way to a sidebar that is not in sight. */
export const HeaderStart = createContext<ReactNode>(null)

interface PageProps {
  title: string
  /** What the page is for, in a sentence. On a phone behind a button: what people came for comes first. */
  description?: ReactNode
  /** The page that this one is part of: above its title, on a phone an arrow before it. */
  back?: { href: string; label: string }
  /** Buttons beside the title; on a phone in the same row with it. */
  actions?: ReactNode
  children: ReactNode
  /** For tables and plots. */
  wide?: boolean
}

/** The frame of every page but the conversation. */
export function Page({ title, description, back, actions, children, wide }: PageProps) {
  return (
    <div className="h-full overflow-y-auto">
      <div
        className={`mx-auto flex flex-col gap-4 px-4 pt-2 pb-[calc(env(safe-area-inset-bottom)+2rem)] max-sm:gap-3 sm:px-6 sm:pt-6 ${wide ? 'max-w-6xl' : 'max-w-3xl'}`}
      >
        <header className="flex flex-wrap items-start gap-x-4 gap-y-2 max-sm:flex-nowrap max-sm:items-end max-sm:gap-x-2">
          <div className="min-w-0 flex-1 max-sm:flex max-sm:items-start sm:basis-60">
            {back && (
              <Link
                href={back.href}
                title={back.label}
                className="inline-flex min-h-7 items-center gap-1 text-sm text-soft hover:underline max-sm:-ml-3 max-sm:size-10 max-sm:shrink-0 max-sm:justify-center"
              >
                <ArrowLeft aria-hidden size={15} className="max-sm:size-4.5" />
                <span className="max-sm:sr-only">{back.label}</span>
              </Link>
            )}
            <div className="flex min-w-0 items-center gap-1 max-sm:min-h-10">
              <h1 className="min-w-0 text-xl font-semibold [overflow-wrap:anywhere]">{title}</h1>
              {description && <About>{description}</About>}
            </div>
            {description && <p className="mt-1 text-sm text-soft max-sm:hidden">{description}</p>}
          </div>
          {actions && (
            <div className="flex flex-wrap gap-2 max-sm:shrink-0 max-sm:flex-nowrap">{actions}</div>
          )}
        </header>
        {children}
      </div>
    </div>
  )
}

/** The description, where there is no room for it. */
function About({ children }: { children: ReactNode }) {
  return (
    <span className="sm:hidden">
      <Popover label={text.ui.about} align="start" trigger={<IconButton label={text.ui.about} icon={Info} />}>
        <p className="text-sm">{children}</p>
      </Popover>
    </span>
  )
}

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <section className={`rounded-xl border border-line bg-card p-4 ${className}`}>{children}</section>
}

/** Where there is nothing: says what would be here, and how to get it. */
export function Empty({
  icon: Icon,
  title,
  children,
}: {
  icon: LucideIcon
  title: string
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-xl border border-dashed border-line px-6 py-10 text-center">
      <Icon aria-hidden size={28} className="text-faint" />
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-md text-sm text-soft">{children}</div>}
    </div>
  )
}
