/** Opens and closes the panel beside the conversation. The panel itself is loaded when it is opened. */
import { PanelRight } from 'lucide-react'
import { useSearch } from 'wouter'
import { remembered } from '../browser/remembered.ts'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { closePanel, firstTab, lastTabKey, openPanel, panelIn } from './panel-address.ts'

export function PanelButton() {
  const isOpen = panelIn(useSearch()) !== undefined
  const open = () => openPanel(remembered(lastTabKey) ?? firstTab)
  return (
    <IconButton
      data-panel-button
      label={isOpen ? text.conversation.closePanel : text.conversation.openPanel}
      icon={PanelRight}
      active={isOpen}
      aria-expanded={isOpen}
      onClick={isOpen ? closePanel : open}
    />
  )
}
