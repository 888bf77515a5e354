import type { ComponentPropsWithoutRef, ElementType, ReactNode } from 'react'
import './section.css'

/** The background of a section or tile; each sets its own colours of text, lines and buttons. */
export type Ground = 'canvas' | 'paper' | 'stage' | 'brand' | 'soft' | 'accent'

type GroundProps<C extends ElementType> = { as?: C; ground: Ground } & ComponentPropsWithoutRef<C>

/** An element with one of the studio's backgrounds. */
export function Surface<C extends ElementType = 'div'>({ as, ground, className = '', ...rest }: GroundProps<C>) {
  const Tag: ElementType = as ?? 'div'
  return <Tag className={`ground-${ground} ${className}`} {...rest} />
}

interface SectionProps {
  id?: string
  ground?: Ground
  title?: ReactNode
  /** beside the title: a text, a link, a pager */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A part of a page, labelled by its title, with the page's margins and spacing. */
export function Section({ id, ground = 'canvas', title, aside, className = '', children }: SectionProps) {
  const titleId = id && title ? `${id}-titulo` : undefined
  return (
    <section id={id} aria-labelledby={titleId} className={`section ground-${ground} ${className}`}>
      <div className="wrap">
        {title && (
          <div className="section-head">
            <h2 id={titleId} className="t1">
              {title}
            </h2>
            {aside}
          </div>
        )}
        {children}
      </div>
    </section>
  )
}
