import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button, linkLook } from '../ui/button.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import type { ParsedSignInLink } from './sign-in-steps.ts'

interface SignInLinkProps {
  link: ParsedSignInLink
  /** Other hosts, which get what is granted there. */
  elsewhere: readonly string[]
  opened: boolean
  onOpen: () => void
  onCancel: () => void
}

/**
 * The way to where one signs in. A person follows it: nothing is opened by itself. A hostile server can send people to a place that they
 * trust, and have what they grant there handed to itself: then there is no way before they have agreed to both names.
 */
export function SignInLink({ link, elsewhere, opened, onOpen, onCancel }: SignInLinkProps) {
  const [agreed, setAgreed] = useState(false)
  const words = text.mcp.signIn
  const where = elsewhere.map(withVisibleControls).join(', ')
  return (
    <div className="flex min-w-0 flex-col gap-2 sm:pl-6">
      {where !== '' && (
        <>
          <Notice tone="warn">{words.granted.warning(link.host, where)}</Notice>
          <Checkbox
            label={words.granted.agree(where)}
            checked={agreed}
            onChange={(event) => setAgreed(event.target.checked)}
          />
        </>
      )}
      <div className="flex min-w-0 flex-wrap gap-2">
        {(where === '' || agreed) && (
          <a
            href={link.href}
            target="_blank"
            rel="noopener noreferrer"
            onClick={onOpen}
            onAuxClick={onOpen}
            className={linkLook(opened ? 'plain' : 'primary', 'sm')}
          >
            <ExternalLink aria-hidden size={16} className="shrink-0" />
            <span className="min-w-0 truncate" title={link.host}>
              {opened ? words.openAgain : words.goOn(link.host)}
            </span>
          </a>
        )}
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {text.ui.cancel}
        </Button>
      </div>
    </div>
  )
}
