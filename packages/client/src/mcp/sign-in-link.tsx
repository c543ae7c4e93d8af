import { ExternalLink } from 'lucide-react'
import { text } from '../text/page-text.ts'
import { Button, linkLook } from '../ui/button.tsx'
import type { SignInLink as Link } from './sign-in-steps.ts'

interface SignInLinkProps {
  link: Link
  opened: boolean
  onOpen: () => void
  onCancel: () => void
}

/** The way to where one signs in. A person follows it: nothing is opened by itself. */
export function SignInLink({ link, opened, onOpen, onCancel }: SignInLinkProps) {
  const words = text.mcp.signIn
  return (
    <div className="flex min-w-0 flex-wrap gap-2 pl-6">
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
      <Button size="sm" variant="ghost" onClick={onCancel}>
        {text.ui.cancel}
      </Button>
    </div>
  )
}
