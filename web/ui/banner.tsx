import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import './banner.css'

export type BannerTone = 'neutral' | 'brand' | 'ok' | 'warn' | 'danger'

const icons = { neutral: IconInfoCircle, brand: IconInfoCircle, ok: IconCircleCheck, warn: IconAlertTriangle, danger: IconAlertCircle }

interface NoticeProps {
  /** for what it describes */
  id?: string
  tone?: BannerTone
  title?: ReactNode
  icon?: ReactNode
  /** it appeared after something the person did: read it out */
  live?: boolean
  children?: ReactNode
}

/** A box that says a consequence or a refusal in place. */
export function Banner({ id, tone = 'neutral', title, icon, live = false, children }: NoticeProps) {
  const Icon = icons[tone]
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A sheet keeps its button in sight while its contents scroll: the answer to it must not appear where nobody looks.
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
