/** Who of the staff is signed in: asked once by the shell; every screen of the administration has somebody. */
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Role } from '#contract/people.ts'
import { queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'

/** What the screens know of who works. What somebody may do is the server's to say: screens only leave away what it would refuse. */
export interface Staff {
  /** as they are called: their name, else the address they sign in with */
  name: string
  role: Role
}

/** The roles as the screens call them. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = { owner: 'Propiedad', reception: 'Recepción', coach: 'Coach' }

/** What a screen needs of who opens it, by the right's key. */
export type Right = 'classes.own' | 'roster.all' | 'customers.read' | 'customers.edit' | 'credits.edit' | 'sales.sell' | 'sales.refund'

const RECEPTION: readonly Right[] = ['classes.own', 'roster.all', 'customers.read', 'customers.edit', 'credits.edit', 'sales.sell']
const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  owner: [...RECEPTION, 'sales.refund'],
  reception: RECEPTION,
  coach: ['classes.own'],
}

export const may = (staff: Staff, right: Right): boolean => RIGHTS[staff.role].includes(right)

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

const ROLES: readonly string[] = ['owner', 'reception', 'coach'] satisfies Role[]
const isRole = (value: unknown): value is Role => typeof value === 'string' && ROLES.includes(value)

/** Asks who is signed in. Staff who are customers too are known by their customer; of others the refusal says the role. */
export function useStaffQuery(email: string): StaffQuery {
  const me = useQuery(queries.people.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
  const again = () => void me.refetch()
  if (me.data) {
    const { name, last_name, role } = me.data.customer
    return { staff: role ? { name: `${name} ${last_name}`.trim(), role } : null, error: null, again }
  }
  if (!me.isError) return { staff: undefined, error: null, again }
  const { code, data } = failureOf(me.error)
  if (code !== 'NO_CUSTOMER') return { staff: undefined, error: me.error, again }
  return { staff: isRole(data.role) ? { name: email, role: data.role } : null, error: null, again }
}
