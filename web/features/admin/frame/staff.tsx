/** The signed-in staff member, loaded once by the shell for every screen of the administration. */
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Right, Role } from '#contract/rights.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { api, queries } from '#web/lib/api.ts'
import { isPassing, toFailure } from '#web/lib/errors.ts'
import { useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { findStoredMe, storeMe } from './device-data.ts'

/** What the screens know about the staff member. The server checks rights; screens only hide what it would refuse. */
export interface Staff {
  name: string
  role: Role
  rights: readonly Right[]
  /** their coach's profile, if they teach */
  instructor_id?: number | null
}

interface SignedInStaff extends Staff {
  /** unlocked with a PIN, on a shared device */
  isSharedDevice: boolean
  /** whether the fields of a terminal's slip have to be typed */
  needsTerminalFields: boolean
  /** how far the first steps of the studio are; null: nothing is left to do */
  onboarding: { done: number; total: number } | null
}

/** The names of the roles in Spanish. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = roleLabels

/** Whether the staff member has a right. */
export const may = (staff: Staff, right: Right): boolean => staff.rights.includes(right)

const StaffContext = createContext<SignedInStaff | null>(null)

export function StaffProvider({ staff, children }: { staff: SignedInStaff; children: ReactNode }) {
  return <StaffContext value={staff}>{children}</StaffContext>
}

/** The signed-in staff member. Throws outside the shell of the administration. */
export function useStaff(): SignedInStaff {
  const staff = useContext(StaffContext)
  if (!staff) throw new Error('useStaff needs the shell of the administration')
  return staff
}

interface StaffQuery {
  /** null: signed in, but not staff */
  staff: SignedInStaff | null | undefined
  /** the error of a failed request */
  error: unknown
  again: () => void
}

const meOptions = (uid: string) => ({
  ...queries.team.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }),
  async queryFn() {
    try {
      const me = await api.team.me()
      if (uid) storeMe(uid, me)
      return me
    } catch (error) {
      const stored = isPassing(error) ? findStoredMe(uid) : null
      if (stored) return stored
      throw error
    }
  },
  // Without a connection the last signed-in staff member is read from the device.
  networkMode: 'always' as const,
})

/** Loads the signed-in staff member (GET /admin/me), or without a connection as stored here; FORBIDDEN means not staff. */
export function useStaffQuery(): StaffQuery {
  const session = useSession(useSite().firebaseConfig)
  const me = useQuery(meOptions(session.state === 'signed-in' ? session.uid : ''))
  const again = () => void me.refetch()
  if (me.data) {
    const { name, role, rights, instructor_id } = me.data.staff
    const { is_shared_device: isSharedDevice, terminal_fields_required, onboarding } = me.data
    // What an older version stored on the device lacks it.
    const needsTerminalFields = terminal_fields_required ?? false
    return { staff: { name, role, rights, instructor_id, isSharedDevice, needsTerminalFields, onboarding }, error: null, again }
  }
  if (!me.isError) return { staff: undefined, error: null, again }
  return toFailure(me.error).code === 'FORBIDDEN' ? { staff: null, error: null, again } : { staff: undefined, error: me.error, again }
}
