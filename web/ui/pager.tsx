import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { IconButton } from './button.tsx'
import './pager.css'

/** Pages counted from 1: "1 / 12" between two arrows. A single page shows nothing, unless `always`. */
export function Pager({
  page,
  pages,
  onPage,
  label = 'Páginas',
  always = false,
}: {
  page: number
  pages: number
  onPage: (page: number) => void
  label?: string
  always?: boolean
}) {
  if (pages <= 1 && !always) return null
  return (
    <nav className="pager" aria-label={label}>
      <IconButton label="Página anterior" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <IconChevronLeft className="icon" aria-hidden="true" />
      </IconButton>
      <span aria-live="polite">
        <span className="sr-only">Página </span>
        {page} / {pages}
      </span>
      <IconButton label="Página siguiente" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <IconChevronRight className="icon" aria-hidden="true" />
      </IconButton>
    </nav>
  )
}
