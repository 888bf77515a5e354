import { IconArchive, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import type { SentencePart } from './package-sentence.ts'

interface PackageHeadProps {
  /** null: a new package */
  stored: StudioPackage | null
  onArchive: () => Promise<unknown>
  onRestore: () => void
  isRestoring: boolean
}

/** The title of a package, whether it is for sale, and the verbs of a stored one. */
export function PackageHead({ stored, onArchive, onRestore, isRestoring }: PackageHeadProps) {
  const [isAsking, setAsking] = useState(false)
  if (!stored) return <ScreenHead title="Nuevo paquete" />
  return (
    <>
      <ScreenHead title={stored.title}>
        <Badge tone={stored.available && !stored.archived ? 'ok' : 'neutral'}>
          {stored.archived ? 'Archivado' : stored.available ? 'A la venta' : 'No está a la venta'}
        </Badge>
        <Button
          as={AppLink}
          to={adminPaths.newPackage(stored.class_package_id)}
          variant="outline"
          icon={<IconCopy className="icon" aria-hidden="true" />}
        >
          Duplicar
        </Button>
        {stored.archived ? (
          <Button variant="outline" loading={isRestoring} onClick={onRestore}>
            Recuperar
          </Button>
        ) : (
          <IconButton label="Archivar" onClick={() => setAsking(true)}>
            <IconArchive className="icon" aria-hidden="true" />
          </IconButton>
        )}
      </ScreenHead>
      <ConfirmDialog
        open={isAsking}
        yes="Sí, archivar"
        no="No, conservar"
        onClose={() => setAsking(false)}
        onConfirm={() =>
          onArchive()
            .catch(() => undefined)
            .finally(() => setAsking(false))
        }
      >
        ¿Quieres archivar “{stored.title}”? Ya no se vende; quien lo compró lo conserva.
      </ConfirmDialog>
    </>
  )
}

/** What the package is in a sentence; `changed` are the parts that differ from the stored version. */
export function PackageSentence({ parts, changed }: { parts: readonly SentencePart[]; changed: ReadonlySet<string> }) {
  return (
    <section className="package-sentence" aria-label="Esto es lo que vendes">
      <p className="small strong">Esto es lo que vendes</p>
      <p className="lead">
        {parts.map(({ key, text }) => (
          <span key={key}>{changed.has(key) ? <mark>{text}</mark> : text} </span>
        ))}
      </p>
    </section>
  )
}
