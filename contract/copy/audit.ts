/**
 * The audit trail in words: every recorded action with its Spanish sentence, and every entity with its label. `ctx.audit` accepts only the
 * actions and entities of this file, so an action without a sentence does not compile.
 */
import { formatMoney } from '#contract/money.ts'
import type { Role } from '#contract/rights.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { infoOf } from '#contract/setting-help.ts'
import { isSettingKey } from '#contract/settings.ts'
import { formatWall, isLocalDate } from '#contract/time.ts'
import { auditEntities } from './audit-entities.ts'
import { auditFieldLabels } from './audit-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a sentence is made of. */
export interface AuditFacts {
  /** The subject's name: "Paquete 10", "Ana Ruiz", "Ana Ruiz en Barre, mar 24 nov, 19:00"; null when it has none any more. */
  subject: string | null
  before: unknown
  after: unknown
}

/** The part of the sentence after the person's name: "cambió el precio de Paquete 10 de $1,900.00 a $1,790.00". */
type Predicate = (facts: AuditFacts) => string

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {})
const field = (value: unknown, key: string): unknown => fieldsOf(value)[key]
const numberIn = (value: unknown, key: string): number | null => {
  const found = field(value, key)
  return typeof found === 'number' ? found : null
}
const textIn = (value: unknown, key: string): string | null => {
  const found = field(value, key)
  return typeof found === 'string' && found !== '' ? found : null
}
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

const LONGEST_VALUE = 60

/** A value as the sentence shows it; null when it is too long or has a structure. */
function shortValue(key: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return 'nada'
  if (typeof value === 'boolean') return value ? 'sí' : 'no'
  if (typeof value === 'number') return key.endsWith('_centavos') ? formatMoney(value) : value.toLocaleString('es-MX')
  if (typeof value !== 'string' || value.length > LONGEST_VALUE || /[<\n]|^\d{4}-\d\d-\d\dT/.test(value)) return null
  if (isLocalDate(value)) return formatWall(`${value}T00:00:00Z`, 'date')
  if (key === 'role' && Object.hasOwn(roleLabels, value)) return roleLabels[value as Role]
  return `“${value}”`
}

const and = (names: readonly string[]): string => new Intl.ListFormat('es-MX', { type: 'conjunction' }).format(names)

/**
 * "cambió el precio de Paquete 10 de $1,900.00 a $1,790.00", or "cambió el título y el precio de Paquete 10". `what` precedes the name;
 * `whole` is used when no changed field has a name.
 */
function changed(what: string, whole = what): Predicate {
  return ({ subject, before, after }) => {
    // A name that begins with the noun has it once: "de Paquete 10", not "del paquete Paquete 10".
    const noun = what.split(' ').at(-1) ?? ''
    const isNamed = noun !== '' && (subject ?? '').toLowerCase().startsWith(`${noun} `)
    const ofRecord = `de ${isNamed ? '' : what} ${subject ?? ''}`
      .replace(/ +/g, ' ')
      .replace(/^de el /, 'del ')
      .trim()
    const [was, is] = [fieldsOf(before), fieldsOf(after)]
    const keys = Object.keys(is).filter(
      (key) => Object.hasOwn(auditFieldLabels, key) && Object.hasOwn(was, key) && !isSame(was[key], is[key]),
    )
    const [only] = keys
    if (only === undefined) return `cambió ${whole} ${subject ?? ''}`.trim()
    const names = keys.map((key) => auditFieldLabels[key]?.inSentence ?? key)
    if (keys.length > 4) return `cambió ${names.slice(0, 3).join(', ')} y ${keys.length - 3} datos más ${ofRecord}`
    const [from, to] = [shortValue(only, was[only]), shortValue(only, is[only])]
    if (keys.length === 1 && from !== null && to !== null) return `cambió ${names[0]} ${ofRecord} de ${from} a ${to}`
    return `cambió ${and(names)} ${ofRecord}`
  }
}

/** "agregó el paquete Paquete 10". */
const did =
  (verb: string): Predicate =>
  ({ subject }) =>
    subject ? `${verb} ${subject}` : verb

/** "cambió la llave de Stripe: Llave secreta"; never any part of the key. */
const processorKey =
  (verb: string): Predicate =>
  ({ after }) => {
    const [processor, key] = [textIn(after, 'processor'), textIn(after, 'key')]
    return `${verb} ${processor ? `la llave de ${processor}` : 'una llave de pagos'}${key ? `: ${key}` : ''}`
  }

const fiscalStates: Readonly<Record<string, string | undefined>> = {
  valid: 'timbró',
  cancelling: 'espera que se acepte la cancelación de',
  cancelled: 'canceló',
  refused: 'no timbró',
}

const money = (verb: string, key: string, from: 'before' | 'after' = 'after'): Predicate => {
  return (facts) => {
    const amount = numberIn(facts[from], key)
    const begin = amount === null ? verb : `${verb} ${formatMoney(amount)}`
    return facts.subject ? `${begin} · ${facts.subject}` : begin
  }
}

type ListEntity =
  | 'class_type'
  | 'class_category'
  | 'instructor'
  | 'location'
  | 'room'
  | 'tag'
  | 'payment_method'
  | 'page'
  | 'announcement'
  | 'form'
  | 'custom_field'
  | 'video_type'
  | 'program'
  | 'video'
  | 'class_package'
  | 'discount'
  | 'product'
  | 'holiday'
  | 'schedule_template'
  | 'instructor_absence'
  | 'segment'
  | 'automation'
  | 'pay_rule'
/** Entities of the plain lists (server/modules/crud.ts). */
export type PlainListEntity = Exclude<
  ListEntity,
  'video' | 'class_package' | 'discount' | 'product' | 'holiday' | 'schedule_template' | 'instructor_absence'
>

/** Creating, changing and removing a record: `what` with its article. */
const list = <E extends ListEntity>(entity: E, what: string) =>
  ({
    [`${entity}.create`]: did(`agregó ${what}`),
    [`${entity}.change`]: changed(what),
    [`${entity}.remove`]: did(`eliminó ${what}`),
    [`${entity}.order`]: () => `ordenó la lista de ${auditEntities[entity].toLowerCase()}`,
  }) as Record<`${E}.${'create' | 'change' | 'remove' | 'order'}`, Predicate>

const CHANNELS: Readonly<Record<string, string>> = { whatsapp: 'WhatsApp', mail: 'correo', marketing: 'promociones' }
const ATTENDANCE = (attend: unknown): string => (attend === true ? 'llegó' : attend === false ? 'no llegó' : 'sin marcar')

const setting: Predicate = ({ subject, before, after }) => {
  const name = `el ajuste “${subject !== null && isSettingKey(subject) ? infoOf(subject).label : (subject ?? '')}”`
  const [from, to] = [shortValue('', before), shortValue('', after)]
  return from !== null && to !== null ? `cambió ${name} de ${from} a ${to}` : `cambió ${name}`
}

const countOf = (n: number | null, singular: string, several: string): string => `${n ?? 0} ${n === 1 ? singular : several}`

/** Every action with its sentence. The key is stored in `audit.action`: a key that was in use is never renamed. */
export const auditSentences = {
  // Customers
  'customer.create': did('agregó a'),
  'customer.change': changed('', 'los datos de'),
  'customer.email': did('cambió el correo de'),
  'customer.claim': did('ligó una cuenta a'),
  'customer.leave': did('separó su cuenta eliminada de'),
  'customer.tags': did('cambió las etiquetas de'),
  'customer.note_add': did('escribió una nota sobre'),
  'customer.note_change': did('cambió una nota sobre'),
  'customer.note_remove': did('eliminó una nota sobre'),
  'discount.series': ({ after }) =>
    `creó la serie de códigos ${textIn(after, 'series') ?? 'sin nombre'} con ${countOf(numberIn(after, 'count'), 'código', 'códigos')}`,
  'discount.series_switch': ({ after }) =>
    `${field(after, 'available') === true ? 'activó' : 'desactivó'} la serie de códigos ${textIn(after, 'series') ?? 'sin nombre'}`,
  'customer.merge': ({ subject, after }) => `combinó a ${textIn(after, 'merged') ?? 'otro registro'} con ${subject ?? 'un cliente'}`,
  'customer.merged_into': ({ subject, after }) => `combinó a ${subject ?? 'un cliente'} con ${textIn(after, 'kept') ?? 'otro registro'}`,
  'customer.separate': ({ subject, after }) =>
    `separó otra vez a ${textIn(after, 'merged') ?? 'otro registro'} de ${subject ?? 'un cliente'}`,
  'customer.distinct': ({ subject, after }) =>
    `dijo que ${subject ?? 'un cliente'} y ${textIn(after, 'other') ?? 'otro registro'} no son la misma persona`,
  'customer.erase': did('pidió borrar los datos de'),
  'customer.erase_withdraw': did('decidió no borrar los datos de'),
  'customer.erase_stopped': did('no pudo borrar los datos de'),
  'customer.erased': did('borró los datos de'),
  'document.accept': ({ subject, after }) =>
    `anotó que ${subject ?? 'un cliente'} aceptó ${textIn(after, 'title') ?? 'un documento'} en recepción`,
  'customer.export': did('descargó los datos de'),
  'customer.archive': did('dio de baja a'),
  'customer.unarchive': did('reactivó a'),
  'customer.invite': did('invitó a crear su cuenta a'),
  'customer.password_link': did('envió el enlace para cambiar su contraseña a'),
  'message_template.change': did('cambió el texto del mensaje'),
  'message.resend': did('reenvió un mensaje a'),
  'address.change': did('cambió una dirección de'),
  'consent.change': ({ subject, after }) => {
    const channel = CHANNELS[textIn(after, 'channel') ?? ''] ?? 'un canal'
    return `${field(after, 'allowed') === true ? 'permitió' : 'dejó de permitir'} mensajes por ${channel}${subject ? ` a ${subject}` : ''}`
  },
  'form_answer.change': did('cambió las respuestas de un formulario de'),
  'form_answer.list': did('leyó las respuestas al formulario'),
  'form_answer.read': did('leyó las respuestas de un formulario de'),

  // Classes, reservations, attendance
  'class.create': ({ subject, after }) => {
    const ids = field(after, 'single_class_ids')
    const count = Array.isArray(ids) ? ids.length : 1
    return count > 1 ? `creó ${count} clases${subject ? `, desde ${subject}` : ''}` : did('creó la clase')({ subject, before: null, after })
  },
  'class.change': changed('la clase'),
  'class.cancel': did('canceló la clase'),
  'class.restore': did('recuperó la clase'),
  'class.erase': did('eliminó la clase'),
  'class.series_end': ({ subject, after }) => {
    const until = textIn(after, 'repeat_until')
    return `cambió hasta cuándo se repite${subject ? ` ${subject}` : ' una clase'}: ${until ? formatWall(`${until}T00:00:00Z`, 'date') : 'sin fin'}`
  },
  'class.substitute_ask': did('pidió suplente para'),
  'class.substitute_answer': ({ subject, after }) =>
    `${field(after, 'answer') === 'accepted' ? 'aceptó dar' : 'no puede dar'}${subject ? ` ${subject}` : ' una clase'}`,
  'class.substitute_assign': did('asignó suplente a'),
  'class.substitute_refuse': did('no aprobó al suplente de'),
  'class.substitute_close': did('dejó de buscar suplente para'),
  'class.over_capacity': ({ subject, before, after }) =>
    `amplió el cupo de ${numberIn(before, 'capacity') ?? '—'} a ${numberIn(after, 'capacity') ?? '—'}${subject ? ` en ${subject}` : ''}`,
  'reservation.create': did('reservó a'),
  'reservation.cancel': did('canceló la reservación de'),
  'reservation.change': changed('la reservación de'),
  'reservation.move': did('cambió de clase a'),
  'reservation.paid': did('marcó como pagado el lugar de'),
  'reservation.owed': did('dejó por pagar el lugar de'),
  'attendance.mark': ({ subject, after }) => `marcó “${ATTENDANCE(field(after, 'attend'))}”${subject ? ` a ${subject}` : ''}`,
  'attendance.close': did('cerró la lista de'),
  'waitlist.join': did('anotó en la lista de espera a'),
  'waitlist.leave': did('quitó de la lista de espera a'),
  'waitlist.promote': did('dio lugar desde la lista de espera a'),
  'waitlist.prioritise': did('cambió el orden en la lista de espera de'),
  'penalty.create': did('penalizó a'),
  'penalty.change': did('cambió la penalización de'),
  'penalty.forgive': did('perdonó la penalización de'),

  // Credits and access
  'credits.give': did('dio créditos a'),
  'credits.change': changed('los créditos'),
  'credits.notice': did('avisó de sus créditos por vencer a'),
  'credits.revoke': did('retiró los créditos'),
  'credits.give_back': did('devolvió los créditos retirados'),
  'credits.subtract': ({ subject, after }) => {
    const amount = numberIn(after, 'amount')
    return `restó ${amount === 1 ? '1 clase' : `${amount ?? 'varias'} clases`}${subject ? ` a ${subject}` : ''}`
  },
  'access.give': did('dio acceso a'),
  'access.gift': did('regaló'),
  'access.revoke': did('quitó el acceso de'),

  // Purchases and money
  'order.open': did('abrió la orden de'),
  'order.send': did('envió el enlace de pago de'),
  'purchase.open': did('comenzó la compra de'),
  'purchase.pending': did('dejó pendiente la compra de'),
  'purchase.active': did('activó la compra de'),
  'purchase.completed': did('completó la compra de'),
  'purchase.failed': did('no pudo cobrar la compra de'),
  'purchase.cancelled': did('canceló la compra de'),
  'purchase.revoked': did('revocó la compra de'),
  'purchase.mark_paid': did('marcó como pagada la compra de'),
  'purchase.note': did('cambió la nota de la compra de'),
  'purchase.refund': money('devolvió', 'amount_centavos'),
  'purchase.refund_refused': did('no pudo devolver el dinero de'),
  'purchase.stray_money': did('recibió un pago de más por'),
  'purchase.alarm.other_purchase': did('recibió un pago de otra compra por'),
  'purchase.alarm.other_customer': did('recibió un pago de otra persona por'),
  'purchase.alarm.other_amount': did('recibió otra cantidad por'),
  'subscription.cancel': did('canceló la suscripción'),
  'subscription.pause': did('pausó la suscripción'),
  'subscription.resume': did('reanudó la suscripción'),
  'subscription.card': did('cambió la tarjeta de la suscripción'),
  'subscription.retry': did('reintentó el cobro de la suscripción'),
  'subscription.card_link': did('creó un enlace para cambiar la tarjeta de la suscripción'),
  'subscription.send_link': did('envió el enlace para cambiar la tarjeta de la suscripción'),
  'subscription.change_plan': did('cambió el plan de'),
  'subscription.schedule_plan': did('programó un cambio de plan de'),
  'subscription.cancel_plan': did('quitó el cambio de plan programado de'),
  'subscription.pending_link': did('creó un enlace para activar la suscripción de'),
  'subscription.pending_card': did('guardó la tarjeta de la suscripción por activar de'),
  'subscription.pending_cancel': did('quitó la suscripción por activar de'),
  'subscription.pending_failed': did('no pudo empezar la suscripción por activar de'),
  'subscription.plan_failed': did('no pudo empezar el plan nuevo de'),
  'money.paid_no_grant': did('encontró un pago sin acceso en'),
  'money.grant_no_money': did('encontró un acceso sin pago en'),
  'money.amount_differs': did('encontró una cantidad distinta en'),
  'money.unknown_object': did('encontró en el procesador un movimiento desconocido'),
  'money.refund_failed': did('no pudo completar la devolución de'),
  'money.refund_due': did('anotó una devolución por hacer de'),
  'money.unclaimed_money': did('encontró dinero sin compra'),
  'money.close': did('cerró una diferencia de dinero'),
  'sale.create': money('vendió', 'total_centavos'),
  'sale.pay': did('recibió el pago de'),
  'sale.mail_receipt': did('envió por correo el comprobante de la venta de'),
  'sale.confirm': money('confirmó la transferencia de', 'amount_centavos'),
  'sale.reject': money('rechazó la transferencia de', 'amount_centavos'),
  'gift_card.adjust': money('ajustó el saldo en', 'amount_centavos'),
  'gift_card.recipient': did('corrigió el correo al que se manda la tarjeta'),
  'gift_card.send': did('envió otra vez el código de la tarjeta'),
  'gift_card.code': did('vio otra vez el código de la tarjeta'),
  'cash_session.open': money('abrió la caja con', 'opening_centavos'),
  'cash_session.move': ({ subject, after, before }) =>
    money(field(after, 'kind') === 'in' ? 'metió a la caja' : 'sacó de la caja', 'amount_centavos')({ subject, after, before }),
  'cash_session.compare': did('comparó su conteo de'),
  'cash_session.close': did('cerró'),
  'cash_session.approve': did('aprobó el corte de'),
  'cash_session.reopen': did('reabrió el corte de'),

  // Catalogue and content
  ...list('class_package', 'el paquete'),
  'class_package.remove': did('archivó el paquete'),
  'class_package.restore': did('recuperó el paquete'),
  'class_package.add_to_home': did('puso en la portada el paquete'),
  'class_package.remove_from_home': did('quitó de la portada el paquete'),
  ...list('discount', 'el descuento'),
  ...list('product', 'el producto'),
  'product.stock': did('corrigió las existencias de'),
  ...list('class_type', 'el tipo de clase'),
  ...list('class_category', 'la categoría'),
  ...list('instructor', 'el perfil de coach'),
  ...list('location', 'el estudio'),
  ...list('room', 'la sala'),
  'room.map': did('cambió el mapa de la sala'),
  ...list('tag', 'la etiqueta'),
  ...list('segment', 'el segmento'),
  ...list('automation', 'el mensaje al cambiar de estado'),
  ...list('holiday', 'el día sin clases'),
  ...list('schedule_template', 'la plantilla'),
  ...list('instructor_absence', 'la ausencia de'),
  'credits.extend_all': ({ after }) =>
    `alargó ${countOf(numberIn(after, 'extended'), 'paquete', 'paquetes')} de créditos ${countOf(numberIn(after, 'days'), 'día', 'días')}`,
  ...list('pay_rule', 'la regla de pago'),
  'payroll.adjust': ({ after }) => `ajustó la nómina con ${formatMoney(numberIn(after, 'amount_centavos') ?? 0)}`,
  'payroll.approve': money('aprobó la nómina por', 'total_centavos'),
  'payroll.reopen': () => 'reabrió la nómina',
  'payroll.answer': ({ after }) => (field(after, 'agrees') === true ? 'dijo que su pago está bien' : 'pidió revisar su pago'),
  'payroll.account': did('guardó la cuenta de pago de'),
  ...list('payment_method', 'la forma de pago'),
  ...list('page', 'la página'),
  ...list('announcement', 'el aviso'),
  ...list('form', 'el formulario'),
  ...list('custom_field', 'el campo'),
  ...list('video', 'el video'),
  ...list('video_type', 'el tipo de video'),
  ...list('program', 'el programa'),
  'file.upload': did('subió el archivo'),
  'file.change': did('cambió el nombre del archivo'),
  'file.remove': did('eliminó el archivo'),

  // Lists
  'list.export': ({ subject, after }) => {
    const rows = numberIn(after, 'rows') ?? 0
    return `exportó ${subject ?? 'una lista'} · ${rows.toLocaleString('es-MX')} ${rows === 1 ? 'renglón' : 'renglones'}`
  },

  'broadcast.create': ({ subject, after }) => {
    const headline = [subject ?? textIn(after, 'subject'), textIn(after, 'label')].filter(Boolean).join(' · ')
    return headline ? `escribió a muchos: ${headline}` : 'escribió a muchos'
  },
  'broadcast.pause': did('detuvo el mensaje a muchos'),
  'broadcast.resume': did('siguió enviando el mensaje a muchos'),
  'broadcast.cancel': did('canceló el mensaje a muchos'),

  'bulk.start': ({ subject, after }) => {
    const total = numberIn(after, 'total') ?? 0
    return `hizo un cambio a ${total === 1 ? '1 cliente' : `${total.toLocaleString('es-MX')} clientes`}${subject ? ` · ${subject}` : ''}`
  },
  'bulk.undo': did('deshizo un cambio a muchos ·'),

  // The studio itself
  'setting.change': setting,
  'fiscal_document.issue': money('facturó', 'total'),
  'fiscal_document.change': ({ subject, after }) =>
    `${fiscalStates[textIn(after, 'state') ?? ''] ?? 'supo algo de'} la factura ${subject ?? ''}`.trim(),
  'fiscal_document.cancel': did('pidió cancelar la factura'),
  'fiscal_document.give_up': did('dio por no timbrada la factura'),
  'fiscal_document.mail': did('envió por correo la factura'),
  'fiscal_certificate.save': () => 'guardó el certificado de sello digital',
  'processor_key.add': processorKey('escribió'),
  'processor_key.rotate': processorKey('cambió'),
  'processor_key.remove': processorKey('quitó'),
  'staff.add': did('agregó al equipo a'),
  'staff.invite': did('invitó al equipo a'),
  'staff.accept': () => 'aceptó la invitación al equipo',
  'staff.change': changed('', 'los permisos de'),
  'staff.disable': did('quitó el acceso a'),
  'staff.restore': did('devolvió el acceso a'),
  'staff.reset_second_factor': did('restableció la verificación en dos pasos de'),
  'staff.sign_in': () => 'entró a la administración',
  'staff.share_device': () => 'compartió un dispositivo con el equipo',
  'staff.open_kiosk': () => 'puso un dispositivo en modo kiosco',
  'staff.unlock_device': () => 'entró con su PIN en un dispositivo compartido',
  'staff.lock_pin': () => 'bloqueó su PIN con demasiados intentos fallidos',
  'staff.set_pin': () => 'eligió su PIN',
  'staff.remove_pin': () => 'quitó su PIN',
  'owner.link': did('pidió un enlace para elegir la contraseña de'),
  'api_key.create': did('creó la llave de API'),
  'api_key.change': changed('la llave de API', 'la llave de API'),
  'api_key.rotate': did('cambió el secreto de la llave de API'),
  'api_key.revoke': did('revocó la llave de API'),
  'import.run': ({ subject, after }) => {
    const rows = numberIn(after, 'rows') ?? 0
    const [singular, many] = (textIn(after, 'kind') ?? 'customers') === 'customers' ? ['persona', 'personas'] : ['renglón', 'renglones']
    return `importó ${rows.toLocaleString('es-MX')} ${rows === 1 ? singular : many}${subject ? ` · ${subject}` : ''}`
  },
  'import.undo': did('deshizo la importación'),
  'export.start': () => 'pidió exportar todo el estudio',
  'webhook.create': did('creó el webhook'),
  'webhook.change': changed('el webhook', 'el webhook'),
  'webhook.rotate': did('cambió el secreto del webhook'),
  'webhook.remove': did('eliminó el webhook'),
  'webhook.replay': did('envió otra vez'),
  'webhook.stop': did('dejó de enviar al webhook'),
  'task.snooze': () => 'pospuso un pendiente',
  'task.close': () => 'cerró un pendiente',
  'task.reopen': () => 'volvió a abrir un pendiente',
  'job.retry': () => 'volvió a intentar un trabajo que falló',
  'job.close': () => 'cerró un trabajo que falló',
  'demo.seed': () => 'cargó los datos de muestra',
  'demo.top_up': () => 'agregó clases de muestra',
  'demo.videos': () => 'cargó los videos de muestra',
  'demo.photos': () => 'cargó las fotos de muestra',
} satisfies Record<string, Predicate>

/** An action of the audit trail. */
export type AuditAction = keyof typeof auditSentences

export const isAuditAction = (action: string): action is AuditAction => Object.hasOwn(auditSentences, action)

/** The sentence of an entry, without its full stop. An action that no longer exists in the code gets a general sentence. */
export function auditSentence(name: string, action: string, facts: AuditFacts): string {
  const predicate: Predicate = isAuditAction(action) ? auditSentences[action] : did('hizo un cambio en')
  return `${name} ${predicate(facts)}`
}
