import type { Hook, HookState } from '@dorkos/shared'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { Badge } from '../ui/badge.tsx'
import type { Tone } from '../ui/notice.tsx'
import { ServerSentence } from '../ui/server-sentence.tsx'
import { ConsentActions } from './consent-actions.tsx'

const tones: Partial<Record<Hook['source'], Tone>> = { dorkos: 'ok', policy: 'warn' }

/** One hook: where it comes from, when it runs, and exactly what. */
export function HookItem({ hook, workspaceId }: { hook: Hook; workspaceId: string }) {
  const words = text.workspaceHooks
  const { source, plugin, kind, runs, file, digest, state, why, said } = hook
  const isForced = source === 'policy' && state === 'waits'
  const isHeard = hook.decides === true && !hook.background
  return (
    <li className="min-w-0 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-soft">
        <Badge tone={tones[source] ?? 'neutral'}>
          <bdi className="truncate">
            {plugin === undefined ? words.sources[source] : withVisibleControls(words.plugin(plugin))}
          </bdi>
        </Badge>
        <span>{kindName(kind)}</span>
        <When hook={hook} />
        {hook.decides && <Badge tone="warn">{words.decides}</Badge>}
        <HookStateBadge state={state} words={words.states} />
        {state === 'runs' && hook.consent && isHeard && (
          <span>{hook.consent.grant === 'allow' && hook.can_allow ? words.mayAllow : words.mayRefuse}</span>
        )}
      </div>
      {runs !== undefined && (
        <pre
          dir="ltr"
          className="mt-2 rounded-md bg-terminal px-3 py-2 font-mono text-xs whitespace-pre-wrap text-on-terminal [overflow-wrap:anywhere]"
        >
          <SafeText text={runs} />
        </pre>
      )}
      {hook.cut && <p className="pt-1 text-xs text-warn">{words.cut}</p>}
      {runs === undefined && <p className="pt-2 text-sm">{words.own}</p>}
      {file !== undefined && (
        <bdi dir="ltr" className="block pt-2 font-mono text-xs break-all text-faint">
          <SafeText text={file} />
        </bdi>
      )}
      {hook.scripts && (
        <div className="pt-2 text-xs text-soft">
          {words.scripts}
          {hook.scripts.map((script) => (
            <bdi key={script} dir="ltr" className="block font-mono break-all">
              <SafeText text={script} />
            </bdi>
          ))}
        </div>
      )}
      {why !== undefined && (
        <p className="pt-2 text-sm text-soft">
          <ServerSentence said={said} message={why} />
        </p>
      )}
      {isForced && <p className="pt-2 text-sm text-warn">{words.policyWaits}</p>}
      {isHeard && !hook.can_allow && <p className="pt-2 text-sm text-soft">{words.onlyRefuses}</p>}
      {digest !== undefined && !isCovered(hook) && (
        <ConsentActions
          {...{ workspaceId, digest, state }}
          grant={hook.consent?.grant}
          label={isHeard ? words.refuse : words.allow}
          canAllow={hook.can_allow === true}
        />
      )}
    </li>
  )
}

/** Trust in the workspace says it all. */
function isCovered({ source, decides }: Hook): boolean {
  return (source === 'project' || source === 'local') && !decides
}

const stateTones: Record<HookState, Tone> = {
  runs: 'ok',
  waits: 'warn',
  off: 'neutral',
  unsupported: 'neutral',
}

export function HookStateBadge({ state, words }: { state: HookState; words: Record<HookState, string> }) {
  return <Badge tone={stateTones[state]}>{words[state]}</Badge>
}

function When({ hook }: { hook: Hook }) {
  const words = text.workspaceHooks
  const { matcher, condition, timeout_seconds, background, once } = hook
  const notes = [
    timeout_seconds === undefined ? '' : words.timeout(timeout_seconds),
    background ? words.background : '',
    once ? words.once : '',
  ].filter((note) => note !== '')
  return (
    <>
      {matcher === undefined ? <span>{words.always}</span> : <Named label={words.only} value={matcher} />}
      {condition !== undefined && <Named label={words.condition} value={condition} />}
      {notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </>
  )
}

function Named({ label, value }: { label: string; value: string }) {
  return (
    <span className="min-w-0">
      {label}{' '}
      <bdi dir="ltr" className="font-mono break-all">
        <SafeText text={value} />
      </bdi>
    </span>
  )
}

function kindName(kind: string): string {
  const { kinds } = text.workspaceHooks
  return Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : withVisibleControls(kind)
}
