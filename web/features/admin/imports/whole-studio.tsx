import { ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { toFailure } from '#web/lib/errors.ts'

/**
 * Whether a screen of imports or exports was refused: its viewers have the right, so the refusal means that they work at some locations
 * only.
 */
export const isWholeStudioOnly = ({ isError, error }: { isError: boolean; error: unknown }): boolean =>
  isError && toFailure(error).code === 'FORBIDDEN'

/** The screen for who works at some locations only. */
export function WholeStudioOnly({ title, children }: { title: string; children: string }) {
  return (
    <>
      <ScreenHead title={title} />
      <EmptyState>{children}</EmptyState>
    </>
  )
}
