import type { Banner } from '@dorkos/shared'
import { CircleAlert, Info, RefreshCw, TriangleAlert, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { useStatus } from '../queries/use-status.ts'
import { useServerWords } from '../text/server-words.ts'
import { text } from '../text/text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { toneClasses } from '../ui/notice.tsx'
import { dismissBanner, isDismissed } from './dismissed-banners.ts'

/** The others are shown in full. */
const shortBanners: Partial<Record<Banner['code'], string>> = text.shell.shortBanners

const looks = {
  info: { tone: toneClasses.neutral, icon: Info },
  warning: { tone: toneClasses.warn, icon: TriangleAlert },
  danger: { tone: toneClasses.danger, icon: CircleAlert },
}

/** What the server wants people to know. Dangers stay until they are mended; warnings can be hidden for this visit, the rest for good. */
export function StatusBanners() {
  const status = useStatus()
  const first = useRef<string>(undefined)
  const [, redraw] = useState(0)
  if (!status) return null
  first.current ??= status.version
  const banners = status.banners.filter((banner) => !isDismissed(banner))
  return (
    <>
      {first.current !== status.version && <UpdateNotice version={status.version} />}
      {banners.map((banner) => (
        <OneBanner
          key={banner.code}
          banner={banner}
          onHide={() => {
            dismissBanner(banner)
            redraw((count) => count + 1)
          }}
        />
      ))}
    </>
  )
}

function OneBanner({ banner, onHide }: { banner: Banner; onHide: () => void }) {
  const { tone, icon: Icon } = looks[banner.level]
  const message = useServerWords()(banner.said, banner.message)
  return (
    <div
      role={banner.level === 'danger' ? 'alert' : 'status'}
      className={cx(
        'flex shrink-0 items-start gap-2 border-b border-line px-3 py-1.5 text-sm max-md:items-center',
        tone,
      )}
    >
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      <p
        className={cx(
          'min-w-0 flex-1',
          banner.level === 'danger' ? 'max-md:line-clamp-2' : 'max-md:truncate',
        )}
        title={message}
      >
        {shortBanners[banner.code] ?? message}
      </p>
      <Link href="/system" className="shrink-0 font-medium underline underline-offset-2">
        {text.shell.bannerMore}
      </Link>
      {banner.level !== 'danger' && (
        <IconButton
          label={text.shell.bannerDismiss}
          icon={X}
          iconSize={14}
          onClick={onHide}
          className="-my-1.5 text-inherit"
        />
      )}
    </div>
  )
}

function UpdateNotice({ version }: { version: string }) {
  return (
    <div
      role="status"
      className={cx(
        'flex shrink-0 items-center gap-2 border-b border-line px-3 py-1.5 text-sm',
        toneClasses.neutral,
      )}
    >
      <p className="min-w-0 flex-1">{text.shell.updated(version)}</p>
      <Button size="sm" icon={RefreshCw} onClick={() => location.reload()}>
        {text.shell.reload}
      </Button>
    </div>
  )
}
