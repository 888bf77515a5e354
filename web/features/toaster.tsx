import { hush, useAlert } from '../lib/alerts.ts'
import { Toasts } from '../ui/toast.tsx'

/** Where an area shows its short messages; once per area, in its layout. */
export function Toaster() {
  return <Toasts toast={useAlert()} onDone={hush} />
}
