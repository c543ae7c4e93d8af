import type { EndpointResponse } from '@dorkos/shared'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface TokenSecretProps {
  issued: EndpointResponse<'createToken'>
  onClose: () => void
}

/** The secret of a new token, the only time that it is to be seen. */
export function TokenSecret({ issued, onClose }: TokenSecretProps) {
  const t = text.devices
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.secretTitle}
      description={t.secretLead(withVisibleControls(issued.token.name))}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t.done}
        </Button>
      }
    >
      <div className="flex flex-col gap-2 pb-2">
        <div className="text-xs text-soft">{t.secretLabel}</div>
        <div className="flex items-center gap-2 rounded-lg bg-raised px-3 py-2">
          <code className="min-w-0 flex-1 font-mono text-sm break-all select-all">{issued.secret}</code>
          <CopyButton value={issued.secret} />
        </div>
        <p className="text-xs text-soft">{t.secretUse}</p>
      </div>
    </Dialog>
  )
}
