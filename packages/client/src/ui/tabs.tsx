import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[]
  /** As high as what it stands in; its contents scroll by themselves. */
  fill?: boolean
  /** Beside the list, at its end. */
  end?: ReactNode
}

export function Tabs({ label, value, onChange, tabs, fill, end }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className={fill ? 'flex h-full flex-col' : undefined}>
      <div className="flex items-center border-b border-line">
        <Radix.List aria-label={label} className="-mb-px flex min-w-0 flex-1 gap-1 overflow-x-auto">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="min-h-9 max-sm:min-h-11 shrink-0 border-b-2 border-transparent px-3 text-sm text-soft -outline-offset-2 hover:text-text data-[state=active]:border-ink data-[state=active]:font-medium data-[state=active]:text-text"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end}
      </div>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          className={fill ? 'min-h-0 flex-1 -outline-offset-2' : 'pt-3'}
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
