import { IconMapPin, IconUser } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatWall } from '#contract/time.ts'

/** What the page of a link shows once nothing is left to do, or when the link is not valid. */
export function Ending({ title, text, children }: { title: string; text: string | null; children?: ReactNode }) {
  return (
    <>
      <h1 className="t2">{title}</h1>
      {text && <p role="status">{text}</p>}
      {children && <p>{children}</p>}
    </>
  )
}

interface OfferedClassProps {
  cls: { class_type: string; class_date: string; coaches: string; location: string }
  /** Above the name of the class. */
  lead: string
}

/** The class in which a spot is offered. */
export function OfferedClass({ cls, lead }: OfferedClassProps) {
  return (
    <div className="stack gap-8">
      <p className="muted">{lead}</p>
      <h1 className="t2">{cls.class_type}</h1>
      <p className="hour">{formatWall(cls.class_date, 'class')}</p>
      {cls.coaches && (
        <p className="row gap-8">
          <IconUser className="icon" aria-hidden="true" />
          {cls.coaches}
        </p>
      )}
      <p className="row gap-8">
        <IconMapPin className="icon" aria-hidden="true" />
        {cls.location}
      </p>
    </div>
  )
}
