/** Stages and commits changed files as they are shown; for a commit the agent may propose the message. */

import type { GitState } from '@dorkos/shared'
import { GitCommitHorizontal, Sparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { useCommand } from '../conversation/session-commands.ts'
import type { PageSession } from '../live/page-session.ts'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/panel-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { Checkbox, Field, Textarea } from '../ui/field.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { ServerSentence } from '../ui/server-sentence.tsx'
import { toast } from '../ui/toast.tsx'
import { useGitState, useStale } from './use-changes.ts'

/** `of`: what is shown of the files; another state is asked for when it changes. */
export function CommitForm({ state, of }: { state: PageSession; of: string }) {
  const git = useGitState(state, of)
  return (
    <section className="mt-auto border-t border-line px-3 py-2">
      <Disclosure icon={GitCommitHorizontal} label={text.changes.commit} bodyClassName="pt-2">
        <QueryView query={git}>{(data) => <Form state={state} git={data} />}</QueryView>
      </Disclosure>
    </section>
  )
}

function Form({ state, git }: { state: PageSession; git: GitState }) {
  if (!git.can_commit)
    return (
      <p className="pb-2 text-sm text-soft">
        <ServerSentence said={git.said} message={git.reason ?? ''} />
      </p>
    )
  if (git.files.length === 0) return <p className="pb-2 text-sm text-soft">{text.changes.allCommitted}</p>
  return <OpenForm state={state} git={git} />
}

function OpenForm({ state, git }: { state: PageSession; git: GitState }) {
  const { id } = state
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [message, setMessage] = useProposed(git.proposed_message)
  const [run, busy] = useCommand()
  const stale = useStale(id)
  const chosen = git.files.filter(({ path, refused }) => refused === undefined && !left.has(path))
  const commit = () =>
    run(async () => {
      const files = chosen.map(({ path, hash }) => ({ path, hash }))
      const made = await api.commitChanges({
        params: { id },
        body: { files, message, head: git.head ?? null },
      })
      setMessage('')
      toast.ok(text.changes.committed(made.commit.slice(0, 10)))
      if (!made.index_updated) toast.error(text.changes.indexHeld)
      await stale()
    })
  const missing =
    chosen.length === 0
      ? text.changes.commitNothing
      : message.trim() === ''
        ? text.changes.commitNoMessage
        : undefined
  return (
    <form
      className="flex flex-col gap-3 pb-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (missing === undefined) commit()
      }}
    >
      <p className="text-sm font-medium">
        {git.branch === undefined ? text.changes.commitDetached : text.changes.commitTo(git.branch)}
      </p>
      <FileChoice files={git.files} left={left} onChange={setLeft} />
      <Field label={text.changes.message} hint={<Facts git={git} />}>
        {(ids) => (
          <Textarea {...ids} rows={4} value={message} onChange={(event) => setMessage(event.target.value)} />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <AskAgent id={id} />
        <span className="flex-1" />
        <StageButtons id={id} chosen={chosen} />
        <ReasonButton shows type="submit" variant="primary" busy={busy} reason={missing}>
          {text.changes.commitCount(chosen.length)}
        </ReasonButton>
      </div>
    </form>
  )
}

type GitFile = GitState['files'][number]

/** Into git's index, and out of it. What a person staged and has nowhere else goes only when they say so. */
function StageButtons({ id, chosen }: { id: string; chosen: readonly GitFile[] }) {
  const [run, busy] = useCommand()
  const [asked, setAsked] = useState<boolean>()
  const stale = useStale(id)
  const into = chosen.filter(({ staged }) => staged !== 'same')
  const out = chosen.filter(({ staged }) => staged !== 'none')
  const others = chosen.filter(({ staged }) => staged === 'other')
  const change = async (staged: boolean, also_others: boolean) => {
    const some = staged ? into : out
    const files = some.map(({ path, hash }) => ({ path, hash }))
    await api.stageChanges({ params: { id }, body: { files, staged, also_others } })
    toast.ok((staged ? text.changes.isStaged : text.changes.isUnstaged)(files.length))
    await stale()
  }
  const press = (staged: boolean) => (others.length > 0 ? setAsked(staged) : run(() => change(staged, false)))
  return (
    <>
      {out.length > 0 && (
        <Button size="sm" busy={busy} onClick={() => press(false)}>
          {text.changes.unstageCount(out.length)}
        </Button>
      )}
      {into.length > 0 && (
        <Button size="sm" busy={busy} onClick={() => press(true)}>
          {text.changes.stageCount(into.length)}
        </Button>
      )}
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={text.changes.stageOthersTitle}
        message={text.changes.stageOthers(others.map(({ path }) => withVisibleControls(path)).join(', '))}
        action={text.changes.stageOthersAction}
        danger
        onConfirm={() => change(asked === true, true)}
      />
    </>
  )
}

/** What the agent proposes is put in, unless the person wrote something. */
function useProposed(proposed: string | undefined): [string, (message: string) => void] {
  const [message, setMessage] = useState(proposed ?? '')
  const last = useRef(proposed)
  useEffect(() => {
    const before = last.current
    if (proposed === before) return
    last.current = proposed
    setMessage((now) => (now.trim() === '' || now === before ? (proposed ?? '') : now))
  }, [proposed])
  return [message, setMessage]
}

interface FileChoiceProps {
  files: GitState['files']
  left: ReadonlySet<string>
  onChange: (left: ReadonlySet<string>) => void
}

function FileChoice({ files, left, onChange }: FileChoiceProps) {
  const toggle = (path: string, isChosen: boolean) => {
    const next = new Set(left)
    if (isChosen) next.delete(path)
    else next.add(path)
    onChange(next)
  }
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{text.changes.commitFiles}</legend>
      {files.map(({ path, refused, said, staged }) => (
        <Checkbox
          key={path}
          checked={refused === undefined && !left.has(path)}
          disabled={refused !== undefined}
          onChange={(event) => toggle(path, event.target.checked)}
          hint={
            refused !== undefined ? (
              <ServerSentence said={said} message={refused} />
            ) : staged === 'other' ? (
              text.changes.stagedAs.other
            ) : undefined
          }
          label={
            <span className="flex flex-wrap items-center gap-x-2">
              <bdi className="font-mono text-xs break-all">
                <SafeText text={path} />
              </bdi>
              {staged === 'same' && <Badge>{text.changes.stagedAs.same}</Badge>}
            </span>
          }
        />
      ))}
    </fieldset>
  )
}

function Facts({ git }: { git: GitState }) {
  return (
    <>
      {git.author !== undefined && <SafeText text={text.changes.author(git.author)} />}
      {git.hooks.length > 0 && ` ${text.changes.hooksSkipped(git.hooks.join(', '))}`}
      {git.signs && ` ${text.changes.notSigned}`}
    </>
  )
}

/** A message like any other: what the agent does with it is seen in the conversation. */
function AskAgent({ id }: { id: string }) {
  const [run, busy] = useCommand()
  const mayChat = useCan('chat')
  if (!mayChat) return null
  const ask = () =>
    run(async () => {
      await api.sendMessage({ params: { id }, body: { content: text.changes.askPrompt } })
      toast.ok(text.changes.asked)
    })
  return (
    <Button size="sm" variant="ghost" icon={Sparkles} busy={busy} onClick={ask}>
      {text.changes.ask}
    </Button>
  )
}
