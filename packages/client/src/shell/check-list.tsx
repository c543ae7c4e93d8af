import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import { text } from '../text/later-text.ts'
import type { Check } from './onboarding-checks.ts'

const icons = { ok: CircleCheck, attention: TriangleAlert, missing: CircleAlert }
const colors = { ok: 'text-ok', attention: 'text-warn', missing: 'text-danger' }

export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {checks.map(({ key, state, title, detail, link }) => {
        const Icon = icons[state]
        return (
          <li key={key} className="flex items-start gap-3">
            <Icon
              role="img"
              aria-label={text.shell.onboarding[state]}
              size={18}
              className={`mt-0.5 shrink-0 ${colors[state]}`}
            />
            <div className="min-w-0">
              <p className="text-sm font-medium">{title}</p>
              <p className="text-sm break-words text-soft">
                {detail}{' '}
                {link && (
                  <Link href={link.path} className="link">
                    {link.label}
                  </Link>
                )}
              </p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
