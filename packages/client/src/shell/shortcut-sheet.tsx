import { ScrollBox } from '../render/scroll-box.tsx'
import { text } from '../text/page-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { KeyCaps } from './key-caps.tsx'
import { type ShortcutGroup, shownShortcuts } from './shown-shortcuts.ts'

const groups: readonly ShortcutGroup[] = ['everywhere', 'pages', 'approvals', 'composer']

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={text.shell.shortcuts.title} size="lg">
      <ScrollBox label={text.shell.shortcuts.title} className="-mx-2 max-h-[70dvh] overflow-y-auto px-2 pb-4">
        {/* The columns have no height of their own: with one, what does not fit would go on sideways, out of sight. */}
        <div className="gap-8 sm:columns-2">
          {groups.map((group) => (
            <section key={group} className="mb-4 break-inside-avoid">
              <h3 className="pb-1 text-xs font-semibold text-soft">{text.shell.shortcuts.groups[group]}</h3>
              <dl>
                {shownShortcuts
                  .filter((shortcut) => shortcut.group === group)
                  .map(({ id, label, keys }) => (
                    <div
                      key={id}
                      className="flex items-center justify-between gap-3 border-t border-line py-1.5 text-sm"
                    >
                      <dt>{label}</dt>
                      <dd>
                        <KeyCaps keys={keys} />
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ))}
        </div>
      </ScrollBox>
    </Dialog>
  )
}
