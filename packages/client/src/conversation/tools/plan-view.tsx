import { Markdown } from '../../render/markdown.tsx'
import { GenericView } from './generic-view.tsx'
import { fields, stringOf } from './result-parts.ts'
import type { ToolBodyProps } from './tool-body.ts'
import { inputOf } from './tool-title.ts'

export function PlanView({ item, status }: ToolBodyProps) {
  const plan = stringOf(inputOf(item).plan) ?? stringOf(fields(item.result?.detail).plan)
  if (plan === undefined) return <GenericView item={item} status={status} />
  return (
    <div className="py-1">
      <Markdown text={plan} streaming={status === 'writing'} />
    </div>
  )
}
