/** Who of the staff is signed in: asked once by the shell; every screen of the administration has somebody. */
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { type Right, type Role, roleLabels } from '#contract/rights.ts'
import { queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'

/** What the screens know of who works. What somebody may do is the server's to say: screens only leave away what it would refuse. */
export interface Staff {
  name: string
  role: Role
  rights: readonly Right[]
}

/** The roles as the screens call them. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = roleLabels

export const may = (staff: Staff, right: Right): boolean => staff.rights.includes(right)

const StaffContext = createContext<Staff | null>(null)

export function StaffProvider({ staff, children }: { staff: Staff; children: ReactNode }) {
  return <StaffContext value={staff}>{children}</StaffContext>
}

/** Who works. */
export function useStaff(): Staff {
  const staff = useContext(StaffContext)
  if (!staff) throw new Error('useStaff needs the shell of the administration')
  return staff
}

interface StaffQuery {
  /** null: signed in, and not of the staff */
  staff: Staff | null | undefined
  /** why nobody is known, when asking failed */
  error: unknown
  again: () => void
}

/** Asks who is signed in (GET /admin/me); FORBIDDEN: nobody of the staff. */
export function useStaffQuery(): StaffQuery {
  const me = useQuery(queries.team.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
  const again = () => void me.refetch()
  if (me.data) {
    const { name, role, rights } = me.data.staff
    return { staff: { name, role, rights }, error: null, again }
  }
  if (!me.isError) return { staff: undefined, error: null, again }
  return failureOf(me.error).code === 'FORBIDDEN' ? { staff: null, error: null, again } : { staff: undefined, error: me.error, again }
}
