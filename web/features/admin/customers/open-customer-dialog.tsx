import { lazy, Suspense } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Penalty } from '#contract/attendance.ts'
import type { Customer } from '#contract/people.ts'
import type { CreditsAction } from '#web/features/admin/customers/customer-credits-job.tsx'
import { Archive, Forgive, Penalise, RemoveClasses } from '#web/features/admin/customers/customer-dialogs.tsx'
import { GiveAccess } from '#web/features/admin/customers/give-access.tsx'

const PersonalDataDialog = lazy(async () => ({
  default: (await import('#web/features/admin/customers/personal-data-dialog.tsx')).PersonalDataDialog,
}))
const MergeDialog = lazy(async () => ({ default: (await import('#web/features/admin/customers/merge-dialog.tsx')).MergeDialog }))
const EraseDialog = lazy(async () => ({ default: (await import('#web/features/admin/customers/erasure.tsx')).EraseDialog }))
const CustomerCreditsJob = lazy(async () => ({
  default: (await import('#web/features/admin/customers/customer-credits-job.tsx')).CustomerCreditsJob,
}))
const DebtsDialog = lazy(async () => ({ default: (await import('#web/features/admin/sales/debts.tsx')).DebtsDialog }))
const ReserveDialog = lazy(async () => ({ default: (await import('#web/features/admin/roster/reserve-dialog.tsx')).ReserveDialog }))
const ExportPersonalData = lazy(async () => ({
  default: (await import('#web/features/admin/customers/export-personal-data.tsx')).ExportPersonalData,
}))

/** The dialogs of a customer's file. */
export type CustomerDialog =
  | { verb: 'access' | 'remove' | 'penalise' | 'data' | 'export' | 'erase' | 'archive' | 'debts' }
  | { verb: 'forgive'; penalty: Penalty }
  /** `other_id`: the other record, when it is already known */
  | { verb: 'merge'; other_id?: number }
  | { verb: 'credits'; action: CreditsAction }
  | { verb: 'reserve'; single_class_id: number | null }

interface OpenCustomerDialogProps {
  dialog: CustomerDialog
  customer: Customer
  /** What can be booked now; undefined until it is loaded. */
  summary: { has_unlimited: boolean; available: number } | undefined
  /** Opens another dialog instead. */
  onOpen: (dialog: CustomerDialog) => void
  /** After a change: closes the dialog and reads the file again. */
  onDone: () => void
  onClose: () => void
}

/** The dialog that is open; most are loaded when they open. */
export function OpenCustomerDialog(props: OpenCustomerDialogProps) {
  return (
    <Suspense>
      <DialogOf {...props} />
    </Suspense>
  )
}

function DialogOf({ dialog, customer, summary, onOpen, onDone, onClose }: OpenCustomerDialogProps) {
  const navigate = useNavigate()
  const { customer_id } = customer
  const name = `${customer.name} ${customer.last_name}`.trim()
  const available = summary?.available ?? 0
  const shared = { customer_id, onDone, onClose }
  switch (dialog.verb) {
    case 'access':
      return <GiveAccess {...shared} name={name} />
    case 'remove':
      return <RemoveClasses {...shared} available={available} />
    case 'data':
      return (
        <PersonalDataDialog
          customer={customer}
          onMerge={(other_id) => onOpen({ verb: 'merge', other_id })}
          onDone={onDone}
          onClose={onClose}
        />
      )
    case 'reserve':
      return (
        <ReserveDialog
          customer={{ customer_id, name: customer.name, last_name: customer.last_name, email: customer.email, phone: customer.phone }}
          single_class_id={dialog.single_class_id}
          onClose={onDone}
        />
      )
    case 'debts':
      return <DebtsDialog customer_id={customer_id} name={customer.name} onClose={onDone} />
    case 'archive':
      return <Archive {...shared} />
    case 'penalise':
      return <Penalise {...shared} />
    case 'credits':
      return <CustomerCreditsJob {...shared} action={dialog.action} />
    case 'erase':
      return <EraseDialog customer_id={customer_id} name={name} unused={summary?.has_unlimited ? null : available} onClose={onClose} />
    case 'merge':
      return (
        <MergeDialog
          customer_id={customer_id}
          other_id={dialog.other_id ?? null}
          onDone={(keep_id) => {
            onDone()
            if (keep_id !== customer_id) void navigate(adminPaths.customer(keep_id), { replace: true })
          }}
          onClose={onClose}
        />
      )
    case 'export':
      return <ExportPersonalData customer_id={customer_id} name={name} onClose={onClose} />
    case 'forgive':
      return <Forgive penalty={dialog.penalty} onDone={onDone} onClose={onClose} />
  }
}
