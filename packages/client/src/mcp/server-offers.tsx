import type { McpServerDetails } from '@dorkos/shared'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Card } from '../ui/page.tsx'

/** What a server has besides tools, and what was left out of its lists. */
export function ServerOffers({ details }: { details: McpServerDetails }) {
  const { resources, prompts, instructions, faults } = details
  const words = text.mcp.server
  const isEmpty = resources.length + prompts.length === 0 && instructions === undefined
  return (
    <>
      {faults.length > 0 && (
        <Notice tone="warn">
          <p className="font-medium">{words.leftOut}</p>
          <ul className="list-inside list-disc">
            {sequence(faults, (fault) => (
              <li className="break-words">
                <SafeText text={fault} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {!isEmpty && (
        <Card className="flex flex-col gap-2">
          {instructions !== undefined && (
            <Disclosure label={words.instructions}>
              <p dir="auto" className="text-sm break-words whitespace-pre-wrap text-soft">
                <SafeText text={instructions} />
              </p>
            </Disclosure>
          )}
          {resources.length > 0 && (
            <Disclosure label={words.resources(resources.length)}>
              <Rows rows={resources.map(({ uri, name }) => ({ name: uri, about: name }))} />
            </Disclosure>
          )}
          {prompts.length > 0 && (
            <Disclosure label={words.prompts(prompts.length)}>
              <Rows rows={prompts.map(({ name, description }) => ({ name, about: description }))} />
            </Disclosure>
          )}
        </Card>
      )}
    </>
  )
}

function Rows({ rows }: { rows: readonly { name: string; about: string | undefined }[] }) {
  return (
    <ul className="flex max-h-96 flex-col gap-1.5 overflow-y-auto text-sm">
      {sequence(rows, ({ name, about }) => (
        <li>
          <code className="text-xs break-all">
            <SafeText text={name} />
          </code>
          {about !== undefined && (
            <span dir="auto" className="block text-xs break-words text-soft">
              <SafeText text={about} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
