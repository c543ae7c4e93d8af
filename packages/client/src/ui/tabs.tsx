import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[]
}

export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px min-h-9 max-sm:min-h-11 shrink-0 border-b-2 border-transparent px-3 text-sm text-soft -outline-offset-2 hover:text-text data-[state=active]:border-ink data-[state=active]:font-medium data-[state=active]:text-text"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-3">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
