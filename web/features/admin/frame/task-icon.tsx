import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCake,
  IconCalendarOff,
  IconCash,
  IconCashRegister,
  IconCertificate,
  IconClock,
  IconFileUnknown,
  IconFileX,
  IconListCheck,
  IconMailX,
  IconMessageQuestion,
  IconPlugConnectedX,
  IconReceiptRefund,
  IconRefreshAlert,
  IconScale,
  IconServerBolt,
  IconSignature,
  IconSparkles,
  IconTicket,
  IconUserQuestion,
  type TablerIcon,
} from '@tabler/icons-react'
import type { TaskKind } from '#contract/today.ts'

type Tone = 'warn' | 'danger' | 'brand'

const ICONS: Readonly<Record<TaskKind, readonly [TablerIcon, Tone]>> = {
  cash_due: [IconCash, 'warn'],
  spot_due: [IconCash, 'warn'],
  transfer: [IconBuildingBank, 'warn'],
  renewal: [IconRefreshAlert, 'danger'],
  voucher: [IconTicket, 'warn'],
  no_capacity: [IconAlertTriangle, 'warn'],
  no_coach: [IconAlertTriangle, 'warn'],
  coach_twice: [IconAlertTriangle, 'warn'],
  coach_absent: [IconAlertTriangle, 'warn'],
  substitution: [IconUserQuestion, 'warn'],
  timetable_ends: [IconCalendarOff, 'warn'],
  roster_open: [IconListCheck, 'warn'],
  till_open: [IconCashRegister, 'warn'],
  debt: [IconCash, 'danger'],
  spot_debt: [IconCash, 'danger'],
  pay_question: [IconMessageQuestion, 'warn'],
  refund_due: [IconReceiptRefund, 'danger'],
  discrepancy: [IconScale, 'danger'],
  credits_ending: [IconClock, 'brand'],
  first_class: [IconSparkles, 'brand'],
  document: [IconSignature, 'warn'],
  birthday: [IconCake, 'brand'],
  coach_birthday: [IconCake, 'brand'],
  message_failed: [IconMailX, 'danger'],
  webhook_stopped: [IconPlugConnectedX, 'danger'],
  certificate_ending: [IconCertificate, 'warn'],
  invoice_cancelled: [IconFileX, 'danger'],
  invoice_unstamped: [IconFileUnknown, 'warn'],
  job_failed: [IconServerBolt, 'danger'],
}

/** The drawing of a kind of task on a tinted square. */
export function TaskIcon({ kind }: { kind: TaskKind }) {
  const [Icon, tone] = ICONS[kind]
  return (
    <span className={`task-icon task-icon-${tone}`}>
      <Icon className="icon" aria-hidden="true" />
    </span>
  )
}
