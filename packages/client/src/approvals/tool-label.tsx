import { SafeText } from '../render/safe-text.tsx'
import { toolName } from './call-view.ts'

/** A tool by its name, and by its server if it is one's: that chose the name, and may have called it `Bash`. */
export function ToolLabel({ tool }: { tool: string }) {
  const { server, name } = toolName(tool)
  return (
    <>
      <bdi>
        <SafeText text={name} />
      </bdi>
      {server !== undefined && (
        <bdi className="ml-1 rounded-sm bg-raised px-1 font-sans font-normal text-soft">
          <SafeText text={server} />
        </bdi>
      )}
    </>
  )
}
