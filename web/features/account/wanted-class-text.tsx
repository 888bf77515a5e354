import { useEffect, useState } from 'react'
import { formatWall } from '#contract/time.ts'
import { api } from '#web/lib/api.ts'
import { type NotedClass, noteWantedClass, readWantedClass, toNotedClass } from '#web/lib/wanted-class.ts'

/**
 * "Reformer Flow con Renata · mié 18 nov, 18:00": the class to reserve after the log-in or sign-up, beside the heading of that page.
 * Notes it, so that it survives the sign-up and the link of a mail. Without an answer the page is whole.
 */
export default function WantedClassText({ id }: { id: number }) {
  const [wanted, setWanted] = useState<NotedClass | null>(() => {
    const noted = readWantedClass()
    return noted?.single_class_id === id ? noted : null
  })
  const isKnown = wanted !== null
  useEffect(() => {
    if (isKnown) return
    api.schedule.one({ single_class_id: id }).then(
      ({ single_class }) => {
        const found = toNotedClass(single_class)
        noteWantedClass(found)
        setWanted(found)
      },
      () => {},
    )
  }, [id, isKnown])
  return wanted && `${wanted.name} · ${formatWall(wanted.class_date, 'class')}`
}
