import { useQuery } from '@tanstack/react-query'
import type { StaffPage } from '#contract/content.ts'
import { ConflictDialog } from '#web/features/admin/frame/conflict-dialog.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PageDiff } from './page-diff.tsx'
import { draftOfPage, type PageDraft } from './page-draft.ts'

interface PageConflictProps {
  page_id: number
  /** the refusal's sentence: who changed it */
  message: string
  mine: PageDraft
  onTakeTheirs: (page: StaffPage) => void
  onKeepMine: (page: StaffPage) => void
  onClose: () => void
}

/** Both versions of a page that was changed by another person since it was loaded: theirs is taken, or the own one is saved over it. */
export function PageConflict({ page_id, message, mine, onTakeTheirs, onKeepMine, onClose }: PageConflictProps) {
  const query = useQuery({
    ...queries.content.admin.page.one.queryOptions({ input: { page_id }, meta: { handled: true } }),
    // What is cached is the version that was opened.
    queryKey: [...queries.content.admin.page.one.key({ input: { page_id } }), 'conflict'],
    gcTime: 0,
  })
  const stored = query.data?.page
  return (
    <ConflictDialog
      title="Alguien más cambió esta página"
      message={message}
      onTakeTheirs={stored ? () => onTakeTheirs(stored) : null}
      onKeepMine={stored ? () => onKeepMine(stored) : null}
      onClose={onClose}
    >
      <p className="small muted">De la suya a la tuya:</p>
      <Loaded query={query} skeleton={<Skeleton height="240px" />} failed="No pudimos cargar la otra versión." nothing={null}>
        {stored && <PageDiff before={draftOfPage(stored)} after={mine} />}
      </Loaded>
    </ConflictDialog>
  )
}
