import { ArrowUp } from 'lucide-react'
import { useCallback } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useWorkspaces } from '../queries/workspaces.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { FirstPrompts } from './first-prompts.tsx'
import { MessageEditor } from './message-editor.tsx'
import { toneOf } from './mode-picker.tsx'
import type { Choices } from './new-session-choices.ts'
import { MoreOptions, NewSessionPickers } from './new-session-options.tsx'
import { nextMode } from './permission-modes.ts'
import { useCapabilities } from './use-capabilities.ts'
import type { SearchFiles } from './use-file-search.ts'
import {
  chosenWorkspace,
  type Defaults,
  useChoices,
  useDefaults,
  useProcessToAsk,
  useReadyForNew,
  useStartSession,
  useWorkspaceCommands,
} from './use-new-session.ts'
import { WorkspaceField } from './workspace-field.tsx'

export function NewSessionPage() {
  const words = text.composer.fresh
  const [choices, change] = useChoices()
  const defaults = useDefaults()
  const workspaces = useWorkspaces()
  const workspace = chosenWorkspace(workspaces, choices.workspaceId)
  if (!useCan('chat'))
    return (
      <Page title={words.title}>
        <Notice tone="neutral">{words.readOnly}</Notice>
      </Page>
    )
  return (
    <Page title={words.title}>
      <FirstMessage
        choices={{ ...choices, workspaceId: workspace?.id }}
        defaults={defaults}
        workspaceId={workspace?.id}
        onChange={change}
      />
      <FirstPrompts />
      <WorkspaceField
        workspaces={workspaces}
        value={workspace}
        onChange={(workspaceId) => change({ workspaceId })}
      />
      <MoreOptions choices={choices} defaults={defaults} onChange={change} />
    </Page>
  )
}

interface FirstMessageProps {
  choices: Choices
  defaults: Defaults
  workspaceId: string | undefined
  onChange: (change: Partial<Choices>) => void
}

function FirstMessage({ choices, defaults, workspaceId, onChange }: FirstMessageProps) {
  const words = text.composer.fresh
  const canApprove = useCan('approve')
  const process = useProcessToAsk(workspaceId)
  const known = useCapabilities(process?.id, process !== undefined, false)
  const listed = useWorkspaceCommands(workspaceId)
  const isReported = process?.sameWorkspace && known.commands.state === 'ready'
  const search = useCallback<SearchFiles>(
    async (q, signal) => {
      if (workspaceId === undefined) return []
      return (
        await api.searchWorkspaceFiles({ params: { id: workspaceId }, query: { q, limit: 30 }, signal })
      ).files
    },
    [workspaceId],
  )
  const { busy, fault, start } = useStartSession()
  const mode = choices.mode ?? defaults.mode
  useReadyForNew(workspaceId === undefined ? undefined : choices)
  return (
    <div className="flex flex-col gap-1">
      <MessageEditor
        draftKey="new"
        placeholder={words.placeholder}
        side="below"
        rows={3}
        focusAtStart
        tone={toneOf(mode)}
        commands={isReported ? known.commands : listed}
        searchFiles={search}
        onSubmit={(written) => {
          void start(written, choices)
          // The draft is emptied once the session is there.
          return false
        }}
        onCycleMode={() => onChange({ mode: nextMode(mode, canApprove) })}
        actions={(submit, isEmpty) => (
          <Button
            size="sm"
            variant={isEmpty ? 'plain' : 'primary'}
            icon={ArrowUp}
            busy={busy}
            onClick={() => (isEmpty ? void start(undefined, choices) : submit('send'))}
          >
            {isEmpty ? words.startEmpty : words.start}
          </Button>
        )}
      />
      <NewSessionPickers choices={choices} defaults={defaults} models={known.models} onChange={onChange} />
      {mode === 'bypassPermissions' && (
        <p className="w-fit rounded-md bg-danger-fill px-2 py-0.5 text-xs font-semibold text-white">
          {text.composer.bypassWord}
        </p>
      )}
      {fault !== undefined && <Notice tone="danger">{words.failed(fault)}</Notice>}
    </div>
  )
}
