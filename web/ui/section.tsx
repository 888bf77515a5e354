import type { ComponentPropsWithoutRef, ElementType, ReactNode } from 'react'
import './section.css'

/** What a section or a tile stands on; each says its own ink, lines and action again. */
export type Ground = 'canvas' | 'paper' | 'stage' | 'brand' | 'soft' | 'accent'

type GroundProps<C extends ElementType> = { as?: C; ground: Ground } & ComponentPropsWithoutRef<C>

/** A surface in one of the studio's grounds. */
export function Surface<C extends ElementType = 'div'>({ as, ground, className = '', ...rest }: GroundProps<C>) {
  const Tag: ElementType = as ?? 'div'
  return <Tag className={`ground-${ground} ${className}`} {...rest} />
}

interface SectionProps {
  id?: string
  ground?: Ground
  title?: ReactNode
  /** beside the title: a sentence, a link, a pager */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

/** A part of a page, labelled by its title, with the page's margins and rhythm. */
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
