import './class-name.css'
import type { CSSProperties } from 'react'
import type { CardClass } from './class-facts.ts'

/** A class by its type, with what the studio put beside it: its sign and its labels. */
export function ClassName({ cls }: { cls: Pick<CardClass, 'icon' | 'class_type' | 'tags'> }) {
  return (
    <>
      <ClassIcon icon={cls.icon} />
      {cls.class_type.name} <Tags tags={cls.tags} />
    </>
  )
}

/** What the studio put beside a class: a picture by its address, or a sign such as an emoji. */
function ClassIcon({ icon }: { icon: string | null }) {
  if (!icon) return null
  if (/^(?:\/|https?:)/.test(icon)) return <img className="class-icon" src={icon} alt="" width={18} height={18} loading="lazy" />
  return (
    <span className="class-icon" aria-hidden="true">
      {icon}
    </span>
  )
}

/** "· Flow": labels with the studio's own colour as a dot, never as the colour of a text. */
function Tags({ tags }: { tags: CardClass['tags'] }) {
  return tags.map(({ tag_id, name, color }) => (
    <span key={tag_id} className="class-tag" style={color ? ({ '--tag': color } as CSSProperties) : undefined}>
      {name}
    </span>
  ))
}
