import { accountErrors } from '#contract/copy/errors-account.ts'
import { paths } from '#contract/paths.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Explains that reserving needs a complete profile (PROFILE_INCOMPLETE, spec 2 section 2, "Navigation"). */
export function ProfilePrompt({ onClose }: { onClose: () => void }) {
  const { missing } = useCustomer()
  return (
    <Dialog
      open
      onClose={onClose}
      title="Falta tu información"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button as={AppLink} to={paths.mystudio.profile}>
            Completar Información
          </Button>
        </>
      }
    >
      <p>{accountErrors.PROFILE_INCOMPLETE.message}</p>
      {missing.length > 0 && <p className="muted">Falta: {missing.map(({ label }) => label).join(', ')}.</p>}
    </Dialog>
  )
}
