import { paragraphsOf } from './html-text.ts'
import { compareTexts, isSameText } from './text-diff.ts'

interface PageDiffProps {
  before: { title: string; content: string }
  after: { title: string; content: string }
}

/** Added and removed text between two versions of a page, paragraph by paragraph. */
export function PageDiff({ before, after }: PageDiffProps) {
  const linesOf = ({ title, content }: PageDiffProps['before']) => [title, ...paragraphsOf(content)]
  const diff = compareTexts(linesOf(before), linesOf(after))
  if (isSameText(diff))
    return (
      <p className="small muted">{before.content === after.content ? 'No cambió nada.' : 'El texto es el mismo; cambió su formato.'}</p>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="page-diff" aria-label="Cambios" tabIndex={0}>
      {diff.map((parts, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
        <p key={at}>
          {parts.map(({ kind, text }, part) =>
            kind === 'same' ? (
              text
            ) : kind === 'added' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              <ins key={part}>
                <span className="sr-only">Agregado: </span>
                {text}
              </ins>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
              <del key={part}>
                <span className="sr-only">Quitado: </span>
                {text}
              </del>
            ),
          )}
        </p>
      ))}
    </section>
  )
}
