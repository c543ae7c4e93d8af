/** Where a session is begun: the first message, and what it runs with. */
import { ArrowUp, Ellipsis, Power } from 'lucide-react'
import { useCallback, useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useIsPhone } from '../browser/use-media.ts'
import { ProfilePicker } from '../profiles/profile-picker.tsx'
import { useWorkspaces } from '../queries/workspaces.ts'
import { text } from '../text/later-text.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { useDraft } from './drafts.ts'
import { MessageEditor } from './message-editor.tsx'
import { toneOf } from './mode-picker.tsx'
import type { Choices } from './new-session-choices.ts'
import { NewSessionPickers } from './new-session-options.tsx'
import { nextMode } from './permission-modes.ts'
import { useCapabilities } from './use-capabilities.ts'
import type { SearchFiles } from './use-file-search.ts'
import {
  chosenWorkspace,
  type Defaults,
  useProcessToAsk,
  useProfileDefaults,
  useReadyForNew,
  useStartSession,
  useWorkspaceCommands,
} from './use-new-session.ts'
import { AddWorkspace, TrustHint, WorkspacePicker } from './workspace-picker.tsx'

interface NewSessionProps {
  choices: Choices
  defaults: Defaults
  onChange: (change: Partial<Choices>) => void
  focusAtStart?: boolean
  /** Takes one line on a phone until someone writes: there is more on the page. */
  folds?: boolean
}

export function NewSession({
  choices: asked,
  defaults: configured,
  onChange,
  focusAtStart = false,
  folds = false,
}: NewSessionProps) {
  const words = text.composer.fresh
  const canApprove = useCan('approve')
  const workspaces = useWorkspaces()
  const workspace = chosenWorkspace(workspaces, asked.workspaceId)
  const workspaceId = workspace?.id
  const choices = { ...asked, workspaceId }
  const defaults = useProfileDefaults(choices.profile, workspaceId, configured)
  const [isAdding, setAdding] = useState(false)
  const process = useProcessToAsk(workspaceId)
  const known = useCapabilities(process?.id, process !== undefined, false)
  const listed = useWorkspaceCommands(workspaceId)
  const isReported = process?.sameWorkspace && known.commands.state === 'ready'
  const search = useFilesOf(workspaceId)
  const { busy, fault, start } = useStartSession()
  const mode = choices.mode ?? defaults.mode
  const [isFolded, unfold] = useFolded(folds)
  useReadyForNew(workspaceId === undefined ? undefined : choices)
  return (
    <section aria-label={words.title} onFocus={unfold} className="flex flex-col gap-1">
      <MessageEditor
        draftKey="new"
        placeholder={isFolded ? words.placeholderShort : words.placeholder}
        side="below"
        rows={useIsPhone() && folds ? 1 : 3}
        focusAtStart={focusAtStart}
        folds={folds}
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
          <>
            {!isFolded && (
              <Menu trigger={<IconButton label={words.moreStarts} icon={Ellipsis} />}>
                <MenuItem
                  icon={Power}
                  hint={words.startEmptyHint}
                  disabled={busy}
                  onSelect={() => void start(undefined, choices)}
                >
                  {words.startEmpty}
                </MenuItem>
              </Menu>
            )}
            <ReasonButton
              size="sm"
              variant="primary"
              icon={ArrowUp}
              iconOnPhone={isFolded}
              busy={busy}
              reason={isEmpty ? text.composer.needsText : undefined}
              onClick={() => submit('send')}
            >
              {words.start}
            </ReasonButton>
          </>
        )}
      />
      {!isFolded && (
        <NewSessionPickers choices={choices} defaults={defaults} models={known.models} onChange={onChange}>
          <WorkspacePicker
            workspaces={workspaces}
            value={workspace}
            onChange={(id) => onChange({ workspaceId: id })}
            onAdd={() => setAdding(true)}
          />
          <ProfilePicker
            workspaceId={workspaceId}
            value={choices.profile}
            // What it says counts, until something else is chosen.
            onChange={(profile) =>
              onChange({ profile, mode: undefined, model: undefined, effort: undefined })
            }
          />
        </NewSessionPickers>
      )}
      {workspace && !isFolded && (
        <div className="px-2 text-xs text-soft">
          <TrustHint workspace={workspace} />
        </div>
      )}
      {isAdding && (
        <AddWorkspace
          onAdded={(id) => {
            setAdding(false)
            onChange({ workspaceId: id })
          }}
        />
      )}
      {mode === 'bypassPermissions' && (
        <p className="w-fit rounded-md bg-danger-fill px-2 py-0.5 text-xs font-semibold text-white">
          {text.composer.bypassWord}
        </p>
      )}
      {fault !== undefined && <Notice tone="danger">{words.failed(fault)}</Notice>}
    </section>
  )
}

/** Folded on a phone until someone writes, or has written; from then on open, so that nothing moves away under a finger. */
function useFolded(folds: boolean): [isFolded: boolean, unfold: () => void] {
  const isPhone = useIsPhone()
  const draft = useDraft('new')
  const [isUnfolded, setUnfolded] = useState(false)
  const isEmpty = draft.text === '' && draft.attachments.length === 0
  return [folds && isPhone && isEmpty && !isUnfolded, () => setUnfolded(true)]
}

function useFilesOf(workspaceId: string | undefined): SearchFiles {
  return useCallback<SearchFiles>(
    async (q, signal) => {
      if (workspaceId === undefined) return []
      return (
        await api.searchWorkspaceFiles({ params: { id: workspaceId }, query: { q, limit: 30 }, signal })
      ).files
    },
    [workspaceId],
  )
}
