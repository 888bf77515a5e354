import { hideAlert, useAlert } from '#web/lib/alerts.ts'
import { Toasts } from '#web/ui/toast.tsx'

/** Shows the alerts of an area; once per area, in its layout. */
export function Toaster() {
  return <Toasts toast={useAlert()} onDone={hideAlert} />
}
