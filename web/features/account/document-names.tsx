import { Fragment, type ReactNode } from 'react'

/** A document that must be accepted before an account or a purchase. */
export interface DocumentToAccept {
  page_id: number
  slug: string
  title: string
}

/** "Términos y condiciones, Aviso de privacidad y Reglamento", each rendered by `draw`: a link or a button. */
export function documentNames(documents: readonly DocumentToAccept[], draw: (page: DocumentToAccept) => ReactNode): ReactNode {
  return documents.map((page, at) => (
    <Fragment key={page.page_id}>
      {at > 0 && (at === documents.length - 1 ? ' y ' : ', ')}
      {draw(page)}
    </Fragment>
  ))
}
