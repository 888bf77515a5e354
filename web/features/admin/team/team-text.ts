/** Texts of the team screen: roles, groups of rights, and the rights of a person. Pure. */
import { type Right, type Role, rights, rightsOfRole } from '#contract/rights.ts'
import { roleLabels } from '#contract/role-labels.ts'
import type { StaffMember } from '#contract/team.ts'
import { formatInstant } from '#contract/time.ts'

export const ROLE_OPTIONS: readonly { value: Role; title: string; detail: string }[] = [
  { value: 'owner', title: roleLabels.owner, detail: 'Todo, también ajustes, equipo y pagos a coaches.' },
  { value: 'manager', title: roleLabels.manager, detail: 'El día a día, dinero y catálogo. Sin ajustes.' },
  { value: 'reception', title: roleLabels.reception, detail: 'Vende, cobra y lleva listas.' },
  { value: 'coach', title: roleLabels.coach, detail: 'Sus clases y quién viene.' },
]

/** The rights in groups; each right is in exactly one. */
export const RIGHT_GROUPS: readonly { title: string; keys: readonly Right[] }[] = [
  { title: 'Clases', keys: ['classes.own', 'roster.all', 'roster.over_capacity', 'schedule.edit'] },
  {
    title: 'Clientes',
    keys: ['customers.read', 'customers.edit', 'customers.health', 'customers.merge', 'customers.erase', 'credits.edit'],
  },
  {
    title: 'Dinero',
    keys: [
      'sales.sell',
      'sales.discount_free',
      'sales.refund',
      'sales.invoice',
      'subscriptions.edit',
      'cash.session',
      'cash.review',
      'payroll',
    ],
  },
  { title: 'Reportes', keys: ['reports.activity', 'reports.money'] },
  { title: 'Catálogo y contenido', keys: ['catalogue.edit', 'content.edit', 'content.notices', 'videos.edit', 'messages.send'] },
  { title: 'Ajustes', keys: ['settings.edit', 'settings.code', 'staff.edit', 'audit.read', 'data.import', 'data.export'] },
]

export interface Membership {
  role: Role
  rights_added: readonly Right[]
  rights_removed: readonly Right[]
}

/** Whether a membership has a right. */
export const hasRight = ({ role, rights_added, rights_removed }: Membership, key: Right): boolean =>
  (rightsOfRole(role).includes(key) || rights_added.includes(key)) && !rights_removed.includes(key)

/** The same membership with a right given or taken away; what its role has anyway is not listed. */
export function withRight(membership: Membership, key: Right, isOn: boolean): Membership {
  const ofRole = rightsOfRole(membership.role).includes(key)
  const without = (keys: readonly Right[]) => keys.filter((other) => other !== key)
  return {
    ...membership,
    rights_added: isOn && !ofRole ? [...without(membership.rights_added), key] : without(membership.rights_added),
    rights_removed: !isOn && ofRole ? [...without(membership.rights_removed), key] : without(membership.rights_removed),
  }
}

/** Why a member has a right or lacks it. */
export function reasonText(membership: Membership, key: Right): string {
  const ofRole = rightsOfRole(membership.role).includes(key)
  if (membership.rights_added.includes(key) && !ofRole) return 'Agregado'
  if (membership.rights_removed.includes(key) && ofRole) return 'Quitado'
  return ofRole ? `Por ser ${roleLabels[membership.role]}` : ''
}

export const rightLabel = (key: Right): string => rights[key].label

/** "+1 permiso", "−2 permisos": the differences from the role; null when there are none. */
export function changesText({ rights_added, rights_removed }: Membership): string | null {
  const count = (n: number, sign: string) => (n ? `${sign}${n} ${n === 1 ? 'permiso' : 'permisos'}` : '')
  return [count(rights_added.length, '+'), count(rights_removed.length, '−')].filter(Boolean).join(', ') || null
}

/** When a member last signed in, or the state of their invitation. */
export function memberState(member: StaffMember, zone: string): string {
  const { invite, is_disabled, last_login_at } = member
  if (is_disabled) return 'Sin acceso'
  if (invite)
    return invite.state === 'expired'
      ? 'La invitación venció'
      : `Invitación enviada, vence el ${formatInstant(new Date(invite.expires_at), zone, 'day')}`
  return last_login_at ? `Entró el ${formatInstant(new Date(last_login_at), zone, 'class')}` : 'Todavía no ha entrado'
}
