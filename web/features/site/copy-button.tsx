import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { showAlert } from '#web/lib/alerts.ts'
import { Button } from '#web/ui/button.tsx'

/** How long the button shows that the text was copied. */
const CONFIRMATION_MS = 2_500

/** Copies a text to the clipboard and confirms it, visibly and for screen readers. `what`: "la referencia". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => showAlert('alert', 'Tu navegador no dejó copiar. Selecciona el texto y cópialo.'),
    )
  const Icon = copied ? IconCheck : IconCopy
  return (
    <>
      <Button
        variant="outline"
        size="small"
        icon={<Icon className="icon" aria-hidden="true" />}
        onClick={() => void copy()}
        aria-label={copied ? `Copiada ${what}` : `Copiar ${what}`}
      >
        {copied ? 'Copiada' : 'Copiar'}
      </Button>
      <span className="sr-only" role="status">
        {copied ? 'Copiada' : ''}
      </span>
    </>
  )
}
