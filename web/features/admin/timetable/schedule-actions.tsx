import { IconCopy, IconDots, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { PLAN_SCREENS } from '#web/features/admin/timetable/plan-tools.tsx'
import { publishLabel } from '#web/features/admin/timetable/timetable-text.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

interface ScheduleActionsProps {
  wide: boolean
  canEdit: boolean
  /** How many changes are not published. */
  drafts: number
  selecting: boolean
  onSelecting: () => void
  onNew: () => void
  onOpen: (dialog: 'publish' | 'copy') => void
  /** The week, on wide screens. */
  children: ReactNode
}

/** What is done with the timetable: a new class, copying a week, publishing. */
export function ScheduleActions({ wide, canEdit, drafts, selecting, onSelecting, onNew, onOpen, children }: ScheduleActionsProps) {
  return (
    <div className="plan-head">
      {wide && children}
      {canEdit && wide && (
        <Button variant="outline" size="small" icon={<IconCopy className="icon" aria-hidden="true" />} onClick={() => onOpen('copy')}>
          Copiar semana
        </Button>
      )}
      {canEdit &&
        (drafts > 0 && !wide ? (
          <IconButton label="Nueva clase" onClick={onNew}>
            <IconPlus className="icon" aria-hidden="true" />
          </IconButton>
        ) : (
          <Button
            variant={drafts ? 'outline' : 'filled'}
            size="small"
            icon={<IconPlus className="icon" aria-hidden="true" />}
            onClick={onNew}
          >
            Nueva clase
          </Button>
        ))}
      {canEdit && drafts > 0 && (
        <Button size="small" onClick={() => onOpen('publish')}>
          {publishLabel(drafts)}
        </Button>
      )}
      {canEdit && !wide && (
        <Menu label="Más del horario" buttonClass="icon-btn" button={<IconDots className="icon" aria-hidden="true" />}>
          <MenuItem onClick={() => onOpen('copy')}>Copiar semana</MenuItem>
          <MenuItem onClick={onSelecting}>{selecting ? 'Dejar de seleccionar' : 'Seleccionar'}</MenuItem>
          <hr />
          {PLAN_SCREENS.map(({ to, label }) => (
            <MenuItem key={to} as={AppLink} to={to}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  )
}
