import { IconDots } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import type { anyCreditLot } from '#contract/credits.ts'
import { formatWall } from '#contract/time.ts'
import type { ActUndo } from '#contract/undo-act.ts'
import { showWithUndo } from '#web/features/admin/frame/act-undo.ts'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { api, newIdempotencyKey } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Marks } from '#web/ui/marks.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { CREDIT_LOT_STATES, leftText } from './credit-lot-text.ts'

export type CreditLot = z.infer<typeof anyCreditLot>

type Verb = 'extend' | 'add' | 'freeze' | 'thaw' | 'revoke'

const LABELS: Readonly<Record<Verb, string>> = {
  extend: 'Cambiar último día',
  add: 'Agregar o quitar clases',
  freeze: 'Congelar',
  thaw: 'Descongelar',
  revoke: 'Retirar',
}

/** The actions that the state of a lot allows. */
export function creditLotVerbs(creditLot: Pick<CreditLot, 'state' | 'available_classes'>): Verb[] {
  if (creditLot.state === 'revoked') return []
  if (creditLot.state === 'frozen') return ['thaw', 'extend', 'revoke']
  return [
    'extend',
    ...(creditLot.available_classes < 0 ? [] : (['add'] as const)),
    ...(creditLot.state === 'alive' ? (['freeze', 'revoke'] as const) : []),
  ]
}

const whenText = (creditLot: CreditLot): string =>
  creditLot.expiration_date
    ? `${creditLot.state === 'expired' ? 'Venció' : 'Vence'} el ${formatWall(creditLot.expiration_date, 'date')}`
    : 'Su plazo empieza con la primera clase'

/** Credit lots in the order in which they are spent, each with its actions. */
export function CreditLotList({
  creditLots,
  canEdit,
  onChanged,
}: {
  creditLots: readonly CreditLot[]
  canEdit: boolean
  onChanged: () => void
}) {
  const [chosen, setChosen] = useState<{ creditLot: CreditLot; verb: Verb } | null>(null)
  return (
    <>
      <ul className="lot-list">
        {creditLots.map((creditLot, at) => {
          const state = CREDIT_LOT_STATES[creditLot.state]
          return (
            <li key={creditLot.available_class_id}>
              <div className="grow">
                <p className="strong">{creditLot.title}</p>
                <p className="row gap-8 wraps">
                  {creditLot.available_classes >= 0 && (
                    <Marks
                      capacity={Math.max(creditLot.granted, creditLot.available_classes)}
                      taken={creditLot.available_classes}
                      mine={creditLot.available_classes}
                    />
                  )}
                  <span className="small strong">{leftText(creditLot)}</span>
                  {state && <Badge tone={state.tone}>{state.text}</Badge>}
                </p>
                <p className="small muted">
                  {at === 0 && creditLots.length > 1 && creditLot.state === 'alive' ? 'Se usa primero. ' : ''}
                  {whenText(creditLot)}.{creditLot.is_online ? ' Para videos.' : ''}
                </p>
              </div>
              {canEdit && creditLotVerbs(creditLot).length > 0 && (
                <Menu
                  label={`Cambiar ${creditLot.title}`}
                  buttonClass="icon-btn icon-btn-bare"
                  button={<IconDots className="icon" aria-hidden="true" />}
                >
                  {creditLotVerbs(creditLot).map((verb) => (
                    <MenuItem key={verb} onClick={() => setChosen({ creditLot, verb })}>
                      {LABELS[verb]}
                    </MenuItem>
                  ))}
                </Menu>
              )}
            </li>
          )
        })}
      </ul>
      {chosen && (
        <CreditLotDialog
          {...chosen}
          onDone={(undo) => {
            setChosen(null)
            showWithUndo('Guardado.', undo, onChanged)
            onChanged()
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  )
}

interface CreditLotDialogProps {
  creditLot: CreditLot
  verb: Verb
  /** with its undo; null: it cannot be undone */
  onDone: (undo: ActUndo | null) => void
  onClose: () => void
}

function CreditLotDialog({ creditLot, verb, onDone, onClose }: CreditLotDialogProps) {
  const [day, setDay] = useState(creditLot.expiration_date?.slice(0, 10) ?? '')
  const [add, setAdd] = useState('1')
  const [intention] = useState(newIdempotencyKey)
  const { available_class_id } = creditLot
  const count = Number(add)
  const isCount = /^[+-]?\d{1,4}$/.test(add) && count !== 0 && Math.abs(count) <= 1_000
  const undo = useRef<ActUndo | null>(null)
  const send = async (reason: string) => {
    if (verb === 'revoke') {
      undo.current = (await api.credits.revoke({ available_class_id, reason })).undo
      return
    }
    const change = verb === 'extend' ? { expiration_date: day } : verb === 'add' ? { add: count } : { frozen: verb === 'freeze' }
    undo.current = (await api.credits.update({ available_class_id, reason, ...change }, { context: { intention } })).undo
  }
  const problem = verb === 'extend' && !day ? 'Elige el día.' : verb === 'add' && !isCount ? 'Escribe cuántas, como 2 o -1.' : null
  return (
    <ReasonDialog
      title={`${LABELS[verb]}: ${creditLot.title}`}
      yes={verb === 'revoke' ? 'Sí, retirar' : 'Guardar'}
      no={verb === 'revoke' ? 'No, conservarlo' : 'No cambiar nada'}
      danger={verb === 'revoke'}
      problem={problem}
      consequence={
        verb === 'revoke'
          ? 'Pierde lo que le queda. Los lugares que ya reservó se conservan.'
          : verb === 'freeze'
            ? 'No podrá usarlo hasta que lo descongeles.'
            : undefined
      }
      send={send}
      onDone={() => onDone(undo.current)}
      onClose={onClose}
    >
      {verb === 'extend' && (
        <TextField label="Último día" type="date" value={day} onChange={(event) => setDay(event.currentTarget.value)} />
      )}
      {verb === 'add' && (
        <TextField
          label="Clases"
          hint={`Tiene ${creditLot.available_classes}. Con un signo menos se quitan.`}
          value={add}
          onChange={(event) => setAdd(event.currentTarget.value)}
        />
      )}
    </ReasonDialog>
  )
}
