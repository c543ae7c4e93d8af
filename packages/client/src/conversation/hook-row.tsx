import { Webhook } from 'lucide-react'
import type { MarkerItem } from '../live/page-session.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/hook-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { useOpened } from './conversation-context.tsx'

type HookRowProps = Extract<MarkerItem['marker'], { type: 'hook' }> & { rowKey: string }

/** A hook of the settings: quiet while all is well. Its words may be anybody's, and are shown as they are. */
export function HookRow({ rowKey, hook, outcome, output }: HookRowProps) {
  const line = output.split('\n').find((one) => one.trim() !== '') ?? ''
  return (
    <Disclosure
      icon={Webhook}
      label={
        <bdi className={outcome === 'said' ? '' : 'text-danger'} title={withVisibleControls(line)}>
          <SafeText text={text.hooks[outcome](hook.slice(0, 200))} />
          {line !== '' && (
            <>
              {text.hooks.colon}
              <SafeText text={line.slice(0, 300)} />
            </>
          )}
        </bdi>
      }
      opened={useOpened(rowKey)}
      disabled={output === ''}
      className="py-1"
      bodyClassName="mt-1 ml-2 max-h-96 overflow-y-auto border-l-2 border-line pl-4 text-xs text-soft"
    >
      <pre dir="auto" className="font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
        <SafeText text={output} />
      </pre>
    </Disclosure>
  )
}
