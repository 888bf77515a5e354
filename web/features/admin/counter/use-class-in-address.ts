import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { queries } from '#web/lib/api.ts'
import type { classItem } from './basket.ts'

type AddressClass = Parameters<typeof classItem>[0] & { location_id: number }

/** Hands over the class of the address (`?clase=`) once, when it is loaded. */
export function useClassInAddress(onLoaded: (cls: AddressClass) => void): void {
  const [address] = useSearchParams()
  const id = address.get('clase')
  const cls = useQuery({
    ...queries.schedule.one.queryOptions({ input: { single_class_id: id ?? '' }, meta: { handled: true } }),
    enabled: id !== null && /^\d+$/.test(id),
  }).data?.single_class
  const isDone = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever function is given
  useEffect(() => {
    if (!cls || isDone.current) return
    isDone.current = true
    onLoaded(cls)
  }, [cls])
}
