import { IconUserPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { roleLabels } from '#contract/role-labels.ts'
import type { StaffMember } from '#contract/team.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { InviteDialog } from '#web/features/admin/team/invite-dialog.tsx'
import { MemberPanel } from '#web/features/admin/team/member-panel.tsx'
import { changesText, memberState } from '#web/features/admin/team/team-text.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import '#web/features/admin/team/team.css'

export const handle: AdminHandle = { title: 'Equipo' }

/** Equipo: current members with their rights, invitations, and former members. */
export default function Team() {
  const client = useQueryClient()
  const query = useQuery(queries.team.list.queryOptions({ meta: { handled: true } }))
  const panel = useDialogParam(['persona', 'invitar'] as const)
  const all = query.data?.staff ?? []
  const active = all.filter((staff) => staff.has_joined && !staff.is_disabled)
  const invited = all.filter((staff) => !staff.has_joined && !staff.is_disabled)
  const without = all.filter((staff) => staff.is_disabled)
  const opened = all.find((staff) => panel.open?.name === 'persona' && staff.staff_id === panel.open.id)
  const changed = () => client.invalidateQueries({ queryKey: queries.team.key() })
  const about = query.data ? (active.length === 1 ? 'Solo estás tú.' : `${active.length} personas con acceso.`) : ' '
  useShortcuts('Equipo', [...ROW_SHORTCUTS, EDIT_SHORTCUT, { keys: 'n', label: 'Invitar', act: () => panel.show('invitar', 0) }])
  const open = (member: StaffMember) => panel.show('persona', member.staff_id)
  return (
    <>
      <ScreenHead title="Equipo" about={about}>
        <Button icon={<IconUserPlus className="icon" aria-hidden="true" />} onClick={() => panel.show('invitar', 0)}>
          Invitar
        </Button>
      </ScreenHead>
      <Loaded query={query} skeleton={<ListSkeleton rows={5} />} failed="No pudimos cargar a tu equipo." nothing={null}>
        <Members title="Con acceso" members={active} onOpen={open} />
        <Members title="Invitaciones" members={invited} onOpen={open} />
        <Members title="Sin acceso" members={without} onOpen={open} />
      </Loaded>
      {panel.open?.name === 'invitar' && <InviteDialog onDone={changed} onClose={panel.close} />}
      {opened && <MemberPanel key={opened.staff_id} member={opened} onChanged={changed} onClose={panel.close} />}
    </>
  )
}

function Members({ title, members, onOpen }: { title: string; members: readonly StaffMember[]; onOpen: (member: StaffMember) => void }) {
  const site = useSite()
  const locations =
    useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } })).data?.locations ?? []
  if (members.length === 0) return null
  const nameOf = (id: number) => locations.find((location) => location.location_id === id)?.name ?? ''
  return (
    <section className="team-part" aria-label={title}>
      <h2 className="t3">{title}</h2>
      <ul className="panel-card team-list">
        {members.map((member) => (
          <li key={member.staff_id}>
            <button type="button" className="team-row" data-row onClick={() => onOpen(member)}>
              <Avatar name={member.name} size={44} />
              <span className="team-who">
                <span className="team-name">
                  <span className="strong">{member.name}</span>
                  {changesText(member) && <Badge tone="brand">{changesText(member)}</Badge>}
                </span>
                <span className="small muted ellipsis">
                  {[member.email, ...(member.location_ids ?? []).map(nameOf)].filter(Boolean).join(' · ')}
                </span>
              </span>
              <span className="team-role">
                <span className="strong">{roleLabels[member.role]}</span>
                <span className="small muted">{memberState(member, site.zone)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
