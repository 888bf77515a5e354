import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import './banner.css'

export type BannerTone = 'neutral' | 'brand' | 'ok' | 'warn' | 'danger'

const icons = { neutral: IconInfoCircle, brand: IconInfoCircle, ok: IconCircleCheck, warn: IconAlertTriangle, danger: IconAlertCircle }

interface BannerProps {
  /** for `aria-describedby` of what it explains */
  id?: string
  tone?: BannerTone
  title?: ReactNode
  icon?: ReactNode
  /** it appeared after an action of the user: announce it to screen readers */
  live?: boolean
  children?: ReactNode
}

/** A box that explains a consequence or a refusal in place. */
export function Banner({ id, tone = 'neutral', title, icon, live = false, children }: BannerProps) {
  const Icon = icons[tone]
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A sheet's buttons are sticky while its contents scroll, so a message inside may be out of view: scroll to it.
    if (live && box.current?.closest('dialog')) box.current.scrollIntoView({ block: 'nearest' })
  }, [live])
  return (
    <div ref={box} id={id} className={`notice notice-${tone}`} role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}>
      {icon ?? <Icon className="icon" aria-hidden="true" />}
      <div className="notice-body">
        {title && <p className="strong">{title}</p>}
        {children && <div className="small">{children}</div>}
      </div>
    </div>
  )
}
