import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { homePath, visibleScreens } from '#web/features/admin/frame/menu.ts'
import { useStaff } from '#web/features/admin/frame/staff.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'No encontrado' }

/** Shown for unknown addresses below /admin. */
export default function Missing() {
  const staff = useStaff()
  const home = homePath(staff)
  const label = visibleScreens(staff).find(({ path }) => path === home)?.label
  return (
    <>
      <ScreenHead title="No encontramos esta pantalla." />
      <Button as={AppLink} to={home}>
        Ir a {label}
      </Button>
    </>
  )
}
