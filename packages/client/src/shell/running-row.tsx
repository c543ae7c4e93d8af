/** A session that runs, with what ends its turn. */
import type { Session } from '@dorkos/shared'
import { Square } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { focusHome } from '../composer/use-focus-home.ts'
import { interruptSession } from '../sessions/session-actions.ts'
import { SessionRow } from '../sessions/session-row.tsx'
import { sessionTitle } from '../sessions/session-title.ts'
import { text } from '../text/later-text.ts'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toast.tsx'

export function RunningRow({ session, index, unread }: { session: Session; index: number; unread: boolean }) {
  const mayStop = useCan('chat')
  const [isStopping, setStopping] = useState(false)
  const title = sessionTitle(session)
  const words = text.shell.home
  const stop = async () => {
    setStopping(true)
    // The row goes when the turn has ended, so that is said elsewhere.
    if (await interruptSession(session)) toast.info(words.stopping(title))
    else setStopping(false)
    focusHome()
  }
  return (
    <div className="flex items-center gap-1">
      <div className="min-w-0 flex-1">
        <SessionRow session={session} index={index} current={false} unread={unread} />
      </div>
      {mayStop && (
        <Button
          size="sm"
          icon={Square}
          busy={isStopping}
          aria-label={words.stopNamed(title)}
          onClick={() => void stop()}
        >
          {words.stop}
        </Button>
      )}
    </div>
  )
}
