import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { text } from '../text/text.ts'
import { IconButton } from './button.tsx'
import { toast } from './toast.tsx'

export function CopyButton({
  value,
  label = text.ui.copy,
  className,
}: {
  value: string | (() => string)
  label?: string
  className?: string
}) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof value === 'function' ? value() : value)
      setCopied(true)
    } catch {
      toast.error(text.ui.copyFailed)
    }
  }
  return (
    <IconButton
      label={copied ? text.ui.copied : label}
      icon={copied ? Check : Copy}
      iconSize={15}
      onClick={() => void copy()}
      {...(className !== undefined && { className })}
    />
  )
}
