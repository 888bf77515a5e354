/** The actions of the audit trail as its filter names them: their sentence without a person, "…" in place of what it is about. */
import { type AuditAction, auditSentences } from './audit.ts'

/** Actions whose sentence names the recorded value. */
const LABELS: Readonly<Partial<Record<AuditAction, string>>> = {
  'discount.series': 'creó una serie de códigos',
  'discount.series_switch': 'activó o desactivó una serie de códigos',
  'consent.change': 'permitió o dejó de permitir mensajes a …',
  'class.series_end': 'cambió hasta cuándo se repite …',
  'class.substitute_answer': 'contestó si puede dar …',
  'class.over_capacity': 'amplió el cupo de …',
  'attendance.mark': 'marcó la asistencia de …',
  'credits.subtract': 'restó clases a …',
  'purchase.refund': 'devolvió dinero de …',
  'sale.create': 'vendió a …',
  'sale.confirm': 'confirmó la transferencia de …',
  'sale.reject': 'rechazó la transferencia de …',
  'gift_card.adjust': 'ajustó el saldo de una tarjeta de regalo',
  'cash_session.open': 'abrió la caja',
  'cash_session.move': 'metió o sacó dinero de la caja',
  'cash_session.close': 'cerró la caja',
  'credits.extend_all': 'alargó los créditos vigentes',
  'payroll.adjust': 'ajustó la nómina',
  'payroll.approve': 'aprobó la nómina',
  'payroll.answer': 'contestó si su pago está bien',
  'list.export': 'exportó una lista',
  'broadcast.create': 'escribió a muchos',
  'bulk.start': 'hizo un cambio a muchos clientes',
  'bulk.undo': 'deshizo un cambio a muchos',
  'setting.change': 'cambió el ajuste …',
  'fiscal_document.issue': 'facturó a …',
  'fiscal_document.change': 'supo si se timbró o canceló la factura …',
  'import.run': 'importó un archivo',
  'webhook.replay': 'envió otra vez un aviso a un webhook',
}

/** "Canceló la reservación de …". */
export function auditActionLabel(action: AuditAction): string {
  const label = LABELS[action] ?? auditSentences[action]({ subject: '…', before: null, after: null })
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`
}
