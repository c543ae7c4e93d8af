import { newProfileText, type ProfileDetails, type ProfileFault, type ProfileOrigin } from '@dorkos/shared'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Play, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Field, Input, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { toast } from '../ui/toast.tsx'

const checkAfterMs = 400

/** One profile: its file, what is wrong in it, and what can be done with it. `new`: one that is being made. */
export function ProfilePage({ name }: { name: string }) {
  const search = new URLSearchParams(useSearch())
  const workspaceId = search.get('workspace') ?? undefined
  const origin = originOf(search.get('origin'))
  const where = workspaceId === undefined ? {} : { workspace_id: workspaceId }
  const query = useQuery({
    queryKey: ['profiles', 'one', name, origin ?? '', workspaceId ?? ''],
    queryFn: ({ signal }) =>
      api.getProfile({ params: { name }, query: { ...where, ...(origin && { origin }) }, signal }),
    enabled: name !== 'new',
  })
  const t = text.profiles
  return (
    <Page title={name === 'new' ? t.newTitle : name} back={{ href: '/profiles', label: t.back }}>
      {name === 'new' ? (
        <Editor profile={undefined} workspaceId={workspaceId} />
      ) : (
        <QueryView query={query}>
          {(profile) => <Editor key={profile.digest} profile={profile} workspaceId={workspaceId} />}
        </QueryView>
      )}
    </Page>
  )
}

function originOf(said: string | null): ProfileOrigin | undefined {
  return said === 'owner' || said === 'workspace' || said === 'shipped' ? said : undefined
}

interface EditorProps {
  /** Undefined: one that is being made. */
  profile: ProfileDetails | undefined
  workspaceId: string | undefined
}

function Editor({ profile, workspaceId }: EditorProps) {
  const t = text.profiles
  const mayEdit = useCan('admin')
  const [name, setName] = useState(profile?.name ?? '')
  const [written, setWritten] = useState(profile?.text ?? newProfileText(exampleName))
  const faults = useFaults(name, written, workspaceId, profile)
  return (
    <div className="flex flex-col gap-4">
      {profile && <About profile={profile} mayEdit={mayEdit} />}
      {profile === undefined && (
        <Field label={t.name} hint={t.nameHint}>
          {(ids) => (
            <Input
              {...ids}
              value={name}
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              className="font-mono"
              onChange={({ currentTarget: { value } }) => {
                // The template follows the name as long as it is one.
                if (written === newProfileText(name || exampleName))
                  setWritten(newProfileText(value || exampleName))
                setName(value)
              }}
            />
          )}
        </Field>
      )}
      <Field label={t.text}>
        {(ids) => (
          <Textarea
            {...ids}
            value={written}
            readOnly={!mayEdit}
            rows={Math.min(30, Math.max(14, written.split('\n').length + 1))}
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            className="font-mono text-xs leading-5"
            onChange={({ currentTarget }) => setWritten(currentTarget.value)}
          />
        )}
      </Field>
      <Faults faults={faults} />
      <Actions
        profile={profile}
        workspaceId={workspaceId}
        mayEdit={mayEdit}
        name={name}
        written={written}
        hasFaults={faults !== undefined && faults.length > 0}
      />
    </div>
  )
}

const exampleName = 'my-agent'

function About({ profile, mayEdit }: { profile: ProfileDetails; mayEdit: boolean }) {
  const t = text.profiles
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <Badge>{t.origins[profile.origin]}</Badge>
      {profile.untrusted && <Notice tone="warn">{t.untrustedMeans}</Notice>}
      {profile.origin === 'shipped' && mayEdit && <span>{t.copyShipped}</span>}
      {profile.origin === 'workspace' && mayEdit && <span>{t.trustStays}</span>}
    </div>
  )
}

interface ActionsProps extends EditorProps {
  mayEdit: boolean
  name: string
  written: string
  hasFaults: boolean
}

function Actions({ profile, workspaceId, mayEdit, name, written, hasFaults }: ActionsProps) {
  const t = text.profiles
  const [, navigate] = useLocation()
  const [isDeleting, setDeleting] = useState(false)
  const { save, remove, isBusy, fault } = useProfileChange(profile, workspaceId)
  const isChanged = profile === undefined || written !== profile.text
  const whyNot = [
    !mayEdit && t.needsAdmin,
    name === '' && t.saveNameless,
    !isChanged && t.saveNothing,
    hasFaults && t.saveFaults,
  ].find((reason) => reason !== false)
  return (
    <>
      {fault !== undefined && <Notice tone="danger">{fault}</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        <ReasonButton
          variant="primary"
          busy={isBusy}
          reason={whyNot}
          onClick={() => void save(name, written)}
        >
          {t.save}
        </ReasonButton>
        {profile && (
          <ReasonButton
            icon={Play}
            reason={profile.faults.length > 0 || profile.untrusted || isChanged ? t.tryFaults : undefined}
            onClick={() => navigate(`/new?${searchOf({ profile: profile.name, workspace: workspaceId })}`)}
          >
            {t.tryIt}
          </ReasonButton>
        )}
        {profile && profile.origin !== 'shipped' && mayEdit && (
          <Button variant="danger" icon={Trash2} className="ml-auto" onClick={() => setDeleting(true)}>
            {t.delete}
          </Button>
        )}
      </div>
      <Confirm
        open={isDeleting}
        danger
        title={t.deleteTitle}
        message={t.deleteMessage}
        action={t.delete}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove(name)}
      />
    </>
  )
}

/** What comes with DorkOS is saved as one of the owner's; a workspace's in the workspace. */
function useProfileChange(profile: ProfileDetails | undefined, workspaceId: string | undefined) {
  const t = text.profiles
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const target = profile?.origin === 'workspace' ? workspaceId : undefined
  const where = target === undefined ? {} : { workspace_id: target }
  const base_digest = profile === undefined || profile.origin === 'shipped' ? null : profile.digest
  const save = async (name: string, written: string) => {
    setBusy(true)
    setFault(undefined)
    try {
      const { origin } = await api.saveProfile({
        params: { name },
        body: { text: written, base_digest, ...where },
      })
      toast.ok(t.saved)
      void client.invalidateQueries({ queryKey: ['profiles'] })
      navigate(`/profiles/${name}?${searchOf({ origin, workspace: target })}`, { replace: true })
    } catch (error) {
      setFault(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const remove = async (name: string) => {
    await api.deleteProfile({ params: { name }, query: where })
    toast.ok(t.deleted)
    void client.invalidateQueries({ queryKey: ['profiles'] })
    navigate('/profiles')
  }
  return { save, remove, isBusy, fault }
}

function searchOf(fields: Record<string, string | undefined>): URLSearchParams {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  return new URLSearchParams(given)
}

/** What the server says is wrong in what is written; undefined while it is being asked. */
function useFaults(
  name: string,
  written: string,
  workspaceId: string | undefined,
  profile: ProfileDetails | undefined,
): readonly ProfileFault[] | undefined {
  const [checked, setChecked] = useState<{ of: string; faults: readonly ProfileFault[] }>()
  const key = JSON.stringify([name, written])
  useEffect(() => {
    if (name === '' || written === profile?.text) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const where = workspaceId === undefined ? {} : { workspace_id: workspaceId }
      api
        .checkProfile({ body: { name, text: written, ...where }, signal: stop.signal })
        .then(({ faults }) => setChecked({ of: key, faults }))
        .catch((error: unknown) => {
          if (!stop.signal.aborted) setChecked({ of: key, faults: [{ line: 1, message: errorText(error) }] })
        })
    }, checkAfterMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [name, written, workspaceId, profile?.text, key])
  if (written === profile?.text) return profile.faults
  return checked?.of === key ? checked.faults : undefined
}

function Faults({ faults }: { faults: readonly ProfileFault[] | undefined }) {
  const t = text.profiles
  return (
    <div aria-live="polite" className="text-sm">
      {faults === undefined ? (
        <p className="text-soft">{t.checking}</p>
      ) : faults.length === 0 ? (
        <p className="text-soft">{t.fine}</p>
      ) : (
        <Notice tone="danger">
          <ul className="flex flex-col gap-1">
            {sequence(faults, ({ line, path, message }) => (
              <li className="[overflow-wrap:anywhere]">
                <span className="font-medium">{t.line(line)}</span>{' '}
                {path !== undefined && <code className="text-xs">{path}</code>} <SafeText text={message} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
