import type { CSSProperties } from 'react'
import { initials } from './initials.ts'
import './avatar.css'

interface AvatarProps {
  /** the person's name, for the initials; the picture is decorative because the name is written beside it */
  name: string
  src?: string | null | undefined
  /** diameter in px */
  size?: number
}

/** A person's photo or drawn portrait, or the initials if there is none. */
export function Avatar({ name, src, size = 28 }: AvatarProps) {
  const style = { '--size': `${size}px` } as CSSProperties
  if (!src) {
    return (
      <span aria-hidden="true" className="avatar avatar-initials" style={style}>
        {initials(name)}
      </span>
    )
  }
  return (
    <span className="avatar" style={style}>
      <img src={src} alt="" width={size} height={size} loading="lazy" decoding="async" />
    </span>
  )
}
