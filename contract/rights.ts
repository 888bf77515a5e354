/** Staff rights: four roles, single rights, and which role has which (docs/domain.md, "Staff and rights"). */
import * as z from 'zod'

export const role = z.enum(['owner', 'manager', 'reception', 'coach'])
export type Role = z.infer<typeof role>

interface RightInfo {
  /** What it permits, in the words of the team screen. */
  label: string
  /** Roles that have it by default. */
  roles: readonly Role[]
}

const OWNER = ['owner'] as const
const MANAGEMENT = ['owner', 'manager'] as const
const DESK = ['owner', 'manager', 'reception'] as const
const ALL_ROLES = ['owner', 'manager', 'reception', 'coach'] as const

/** Every right by its key, in the order of the team screen. */
export const rights = {
  'classes.own': { label: 'Ver sus clases, pasar lista y pedir suplencia', roles: ALL_ROLES },
  'roster.all': { label: 'Ver todas las listas, reservar, cancelar y mover lugares', roles: DESK },
  'roster.over_capacity': { label: 'Pasar del cupo de una clase, con motivo', roles: MANAGEMENT },
  'schedule.edit': { label: 'Cambiar el horario: clases, series, días sin clases y suplencias', roles: MANAGEMENT },
  'customers.read': { label: 'Ver clientes: teléfono, correo y perfil', roles: DESK },
  'customers.edit': { label: 'Cambiar clientes, sus notas y etiquetas', roles: DESK },
  'customers.health': { label: 'Ver respuestas de salud y lesiones', roles: ['owner', 'manager', 'coach'] },
  'customers.merge': { label: 'Combinar clientes repetidos', roles: MANAGEMENT },
  'customers.erase': { label: 'Borrar y exportar los datos de una persona', roles: OWNER },
  'credits.edit': { label: 'Dar, quitar, extender y congelar créditos', roles: DESK },
  'sales.sell': { label: 'Vender y recibir dinero', roles: DESK },
  'sales.discount_free': { label: 'Dar un descuento u otro precio a mano', roles: DESK },
  'sales.invoice': { label: 'Facturar y cancelar facturas', roles: DESK },
  'sales.refund': { label: 'Devolver dinero', roles: MANAGEMENT },
  'subscriptions.edit': { label: 'Cancelar, pausar y cambiar suscripciones', roles: DESK },
  'cash.session': { label: 'Abrir y cerrar su caja', roles: DESK },
  'cash.review': { label: 'Ver y aprobar todos los cortes de caja', roles: MANAGEMENT },
  'reports.money': { label: 'Ver reportes de dinero', roles: MANAGEMENT },
  'reports.activity': { label: 'Ver reportes de asistencia y de clientes', roles: DESK },
  payroll: { label: 'Llevar la nómina de coaches', roles: OWNER },
  'catalogue.edit': { label: 'Cambiar paquetes, descuentos, tipos de clase, coaches, estudios y salas', roles: MANAGEMENT },
  'content.edit': { label: 'Cambiar páginas y formularios', roles: MANAGEMENT },
  'content.notices': { label: 'Publicar avisos', roles: DESK },
  'videos.edit': { label: 'Cambiar videos', roles: MANAGEMENT },
  'messages.send': { label: 'Enviar mensajes a muchos clientes', roles: MANAGEMENT },
  'settings.edit': { label: 'Cambiar los ajustes', roles: OWNER },
  'settings.code': { label: 'Cambiar el código propio y las llaves', roles: OWNER },
  'staff.edit': { label: 'Administrar al equipo', roles: OWNER },
  'audit.read': { label: 'Leer la bitácora', roles: MANAGEMENT },
  'data.import': { label: 'Importar datos', roles: MANAGEMENT },
  'data.export': { label: 'Exportar todos los datos', roles: OWNER },
} as const satisfies Record<string, RightInfo>

export type Right = keyof typeof rights

export const rightKeys = Object.keys(rights) as Right[]
export const right = z.enum(rightKeys as [Right, ...Right[]])

const rolesWith = (key: Right): readonly Role[] => rights[key].roles

/** The rights of a role, before individual changes. */
export const rightsOfRole = (of: Role): Right[] => rightKeys.filter((key) => rolesWith(key).includes(of))

/** The rights of a person: those of the role plus those added minus those removed. */
export function effectiveRights(of: Role, changes: { added: readonly Right[]; removed: readonly Right[] }): Right[] {
  const defaults = new Set<Right>([...rightsOfRole(of), ...changes.added])
  return rightKeys.filter((key) => defaults.has(key) && !changes.removed.includes(key))
}

/** The holders of a role, inside a sentence. The owner comes last, after a comma, because it is two nouns. */
const roleActors: Readonly<Record<Exclude<Role, 'owner'>, string>> = { manager: 'gerencia', reception: 'recepción', coach: 'coaches' }
const OWNER_ACTOR = 'la dueña o el dueño del estudio'

/** "gerencia, o la dueña o el dueño del estudio": the holders of a right by default, inside a sentence. */
export function rolesText(key: Right): string {
  const others = rolesWith(key).flatMap((role) => (role === 'owner' ? [] : [roleActors[role]]))
  if (others.length === 0) return OWNER_ACTOR
  return `${new Intl.ListFormat('es-MX', { type: 'disjunction' }).format(others)}, o ${OWNER_ACTOR}`
}
