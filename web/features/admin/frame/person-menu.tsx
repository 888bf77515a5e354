/** What the signed-in staff member does about themselves: in the menu at the side, and at the foot of the phone's menu. */
import {
  IconArrowBackUp,
  IconBell,
  IconDeviceIpadHorizontal,
  IconExternalLink,
  IconLogout,
  IconPassword,
  IconShieldLock,
  IconUsers,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { endSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { changePerson } from './shared-device.ts'
import { ROLE_NAMES, useStaff } from './staff.tsx'

const PinDialog = lazy(() => import('./pin-dialog.tsx'))
const ShareDeviceDialog = lazy(() => import('./pin-dialog.tsx').then((dialogs) => ({ default: dialogs.ShareDeviceDialog })))
const LastActs = lazy(() => import('./last-acts.tsx'))
const TaskPushDialog = lazy(() => import('./task-push-dialog.tsx'))

interface Verb {
  label: string
  icon: ReactNode
  act: (() => void) | { href: string }
}

/** The verbs, and the dialog that one of them opened. */
function useVerbs(): { verbs: readonly Verb[]; leave: Verb; dialog: ReactNode } {
  const { isSharedDevice } = useStaff()
  const [open, setOpen] = useState<'pin' | 'share' | 'push' | 'last' | null>(null)
  const close = () => setOpen(null)
  const last: Verb = {
    label: 'Lo último',
    icon: <IconArrowBackUp className="icon" aria-hidden="true" />,
    act: () => setOpen('last'),
  }
  const lastDialog = open === 'last' && (
    <Suspense>
      <LastActs onClose={close} />
    </Suspense>
  )
  const site: Verb = { label: 'Ver el sitio', icon: <IconExternalLink className="icon" aria-hidden="true" />, act: { href: paths.home } }
  const leave = (label: string): Verb => ({
    label,
    icon: <IconLogout className="icon" aria-hidden="true" />,
    act: () => void endSession(),
  })
  if (isSharedDevice)
    return {
      verbs: [
        { label: 'Cambiar de persona', icon: <IconUsers className="icon" aria-hidden="true" />, act: () => void changePerson() },
        last,
        site,
      ],
      leave: leave('Salir de este dispositivo'),
      dialog: lastDialog,
    }
  return {
    verbs: [
      last,
      site,
      { label: 'Seguridad de tu cuenta', icon: <IconShieldLock className="icon" aria-hidden="true" />, act: { href: paths.security } },
      {
        label: 'Avisarme de pendientes',
        icon: <IconBell className="icon" aria-hidden="true" />,
        act: () => setOpen('push'),
      },
      { label: 'Mi PIN', icon: <IconPassword className="icon" aria-hidden="true" />, act: () => setOpen('pin') },
      {
        label: 'Compartir este dispositivo',
        icon: <IconDeviceIpadHorizontal className="icon" aria-hidden="true" />,
        act: () => setOpen('share'),
      },
    ],
    leave: leave('Salir'),
    dialog: lastDialog || (
      <Suspense>
        {open === 'pin' && <PinDialog onClose={close} />}
        {open === 'push' && <TaskPushDialog onClose={close} />}
        {open === 'share' && <ShareDeviceDialog onClose={close} onPin={() => setOpen('pin')} />}
      </Suspense>
    ),
  }
}

/** The menu of the signed-in staff member. */
export function PersonMenu() {
  const { name, role } = useStaff()
  const { verbs, leave, dialog } = useVerbs()
  const item = ({ label, icon, act }: Verb) =>
    typeof act === 'function' ? (
      <MenuItem key={label} icon={icon} onClick={act}>
        {label}
      </MenuItem>
    ) : (
      <MenuItem key={label} as="a" href={act.href} icon={icon}>
        {label}
      </MenuItem>
    )
  return (
    <div className="admin-person">
      <Menu
        buttonClass="admin-link admin-who"
        button={
          <>
            <Avatar name={name} size={32} />
            <span className="sr-only">Tu cuenta: </span>
            <span className="admin-text">
              <span className="ellipsis">{name}</span>
              <span className="tiny">{ROLE_NAMES[role]}</span>
            </span>
          </>
        }
      >
        {verbs.map(item)}
        <hr />
        {item(leave)}
      </Menu>
      {dialog}
    </div>
  )
}

/** The same at the foot of the phone's menu. */
export function DrawerPerson() {
  const { name, role } = useStaff()
  const { verbs, leave, dialog } = useVerbs()
  return (
    <div>
      <p className="small muted">
        {name} · {ROLE_NAMES[role]}
      </p>
      {[...verbs, leave].map(({ label, act }) =>
        typeof act === 'function' ? (
          <button key={label} type="button" className="link" onClick={act}>
            {label}
          </button>
        ) : (
          <a key={label} className="link" href={act.href}>
            {label}
          </a>
        ),
      )}
      {dialog}
    </div>
  )
}
