import type { ClassConflict } from '#contract/studio-schedule.ts'
import { Banner } from '#web/ui/banner.tsx'

/** The conflicts that a change leaves; nothing without any. */
export function Conflicts({ conflicts }: { conflicts: readonly ClassConflict[] }) {
  if (conflicts.length === 0) return null
  return (
    <Banner tone="warn" title={conflicts.length === 1 ? 'Queda 1 conflicto' : `Quedan ${conflicts.length} conflictos`}>
      <ul>
        {[...new Set(conflicts.map(({ message }) => message))].slice(0, 6).map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Banner>
  )
}
