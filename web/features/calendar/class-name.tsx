import './class-name.css'
import type { CSSProperties } from 'react'
import type { CardClass } from './class-facts.ts'

/** The name of a class: its type, with the studio's icon and tags. */
export function ClassName({ cls }: { cls: Pick<CardClass, 'icon' | 'class_type' | 'tags'> }) {
  return (
    <>
      <ClassIcon icon={cls.icon} />
      {cls.class_type.name} <Tags tags={cls.tags} />
    </>
  )
}

/** The icon of a class: a picture if it is an address, otherwise text such as an emoji. */
function ClassIcon({ icon }: { icon: string | null }) {
  if (!icon) return null
  if (/^(?:\/|https?:)/.test(icon)) return <img className="class-icon" src={icon} alt="" width={18} height={18} loading="lazy" />
  return (
    <span className="class-icon" aria-hidden="true">
      {icon}
    </span>
  )
}

/** "· Flow": tags with the studio's colour as a dot, not as text colour, because its contrast is unknown. */
function Tags({ tags }: { tags: CardClass['tags'] }) {
  return tags.map(({ tag_id, name, color }) => (
    <span key={tag_id} className="class-tag" style={color ? ({ '--tag': color } as CSSProperties) : undefined}>
      {name}
    </span>
  ))
}
