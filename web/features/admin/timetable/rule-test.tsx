import { IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { RuleAnswer } from '#contract/rule-test.ts'
import { groupOf } from '#contract/setting-groups.ts'
import type { SettingKey } from '#contract/settings.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CustomerSearch, type FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './rule-test.css'

const TOPICS: Readonly<Record<RuleAnswer['topic'], string>> = {
  time: 'A tiempo',
  places: 'Lugares',
  waitlist: 'Lista de espera',
  penalty: 'Penalización',
  clash: 'Otra clase',
  documents: 'Documentos',
  profile: 'Perfil',
  credit: 'Crédito',
  cancel: 'Si cancela',
}

interface RuleTestDialogProps {
  single_class_id: number
  /** "Yin, jue 26 nov, 20:30" */
  name: string
  onClose: () => void
}

/** The result of the rules for a customer in one class: whether they could book it, why not, and which setting decides. */
export default function RuleTestDialog({ single_class_id, name, onClose }: RuleTestDialogProps) {
  const [customer, setCustomer] = useState<FoundCustomer | null>(null)
  return (
    <Dialog
      open
      width="middle"
      onClose={onClose}
      title={customer ? `¿Qué le pasaría a ${customer.name}?` : '¿Qué le pasaría a alguien en esta clase?'}
      actions={
        <>
          {customer && (
            <Button variant="outline" onClick={() => setCustomer(null)}>
              Otra persona
            </Button>
          )}
          <Button onClick={onClose}>Listo</Button>
        </>
      }
    >
      <p className="muted">{name}</p>
      {customer ? <Rules single_class_id={single_class_id} customer={customer} /> : <CustomerSearch onChoose={setCustomer} />}
    </Dialog>
  )
}

function Rules({ single_class_id, customer }: { single_class_id: number; customer: FoundCustomer }) {
  const input = { single_class_id, customer_id: customer.customer_id }
  const query = useQuery(queries.ruleTest.read.queryOptions({ input, staleTime: 0, meta: { handled: true } }))
  if (query.isError) return <PartNotLoaded query={query}>No pudimos revisar las reglas.</PartNotLoaded>
  if (!query.data) return <Skeleton height="220px" />
  const { can_reserve, staff_can_reserve, rules } = query.data
  return (
    <>
      <Banner
        tone={can_reserve ? 'ok' : 'warn'}
        live
        title={can_reserve ? `${customer.name} puede reservarla.` : `${customer.name} no puede reservarla.`}
      >
        {!can_reserve && (staff_can_reserve ? 'Recepción sí puede reservársela.' : 'Recepción tampoco puede reservársela.')}
      </Banner>
      <ul className="rule-test">
        {rules.map((rule) => (
          <Rule key={`${rule.topic} ${rule.text}`} rule={rule} />
        ))}
      </ul>
    </>
  )
}

function Rule({ rule: { topic, ok, text, settings } }: { rule: RuleAnswer }) {
  const staff = useStaff()
  const [key] = settings as SettingKey[]
  const Icon = ok === null ? IconInfoCircle : ok ? IconCheck : IconX
  return (
    <li className={ok === false ? 'rule-test-no' : ''}>
      <Icon className="icon" role="img" aria-label={ok === null ? 'Dato' : ok ? 'Sí' : 'No'} />
      <span>
        <span className="strong">{TOPICS[topic]}</span>
        <span>{text}</span>
        {key && may(staff, 'settings.edit') && (
          <AppLink className="link small" to={adminPaths.setting(groupOf(key).area, key)}>
            Ver el ajuste<span className="sr-only"> de {TOPICS[topic].toLowerCase()}</span>
          </AppLink>
        )}
      </span>
    </li>
  )
}
