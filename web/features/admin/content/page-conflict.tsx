import { ConflictDialog } from '#web/features/admin/frame/conflict-dialog.tsx'
import type { EditConflict } from '#web/features/admin/frame/use-versioned-edit.ts'
import { PageDiff } from './page-diff.tsx'
import type { PageDraft } from './page-draft.ts'

/** Both versions of a page that was changed by another person since it was loaded: theirs is taken, or the own one is saved over it. */
export function PageConflict({ conflict }: { conflict: EditConflict<PageDraft> }) {
  return (
    <ConflictDialog title="Alguien más cambió esta página" {...conflict}>
      <p className="small muted">De la suya a la tuya:</p>
      <PageDiff before={conflict.theirs} after={conflict.mine} />
      <p className="small muted">Si guardas la tuya, lo demás que cambió se queda como está.</p>
    </ConflictDialog>
  )
}
