import { IconGift, IconMinus, IconPlus, IconTag, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { spotName } from '#contract/copy/names.ts'
import { type CounterSale, STARTS_WITHIN_DAYS } from '#contract/counter-sales.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { addDays } from '#contract/time.ts'
import { CustomerSearch } from '#web/features/admin/people/customer-search.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { seatLabelIn, useSeats } from '#web/features/admin/timetable/seats.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { type BasketItem, type GiftTo, listTotal, type Reduction, reductionProblem, withoutItem } from './basket.ts'

interface BasketPanelProps {
  lines: readonly BasketItem[]
  /** The server's prices for the basket; null before a customer is chosen, or while loading. */
  quote: CounterSale | null
  onChange: (lines: BasketItem[]) => void
}

/** The basket with its prices, which the server calculates. */
export function BasketPanel({ lines, quote, onChange }: BasketPanelProps) {
  const change = (key: string, set: Partial<BasketItem>) => onChange(lines.map((item) => (item.key === key ? { ...item, ...set } : item)))
  const list = quote ? quote.lines.reduce((sum, item) => sum + (parsePesos(item.list) ?? 0), 0) : listTotal(lines)
  const total = quote ? (parsePesos(quote.total) ?? 0) : list
  // The server returns one line per package, the basket has one item with a quantity.
  let next = 0
  const priced = lines.map((item) => {
    if (item.withCredit) return 0
    const count = item.kind === 'package' || item.kind === 'gift_card' ? item.quantity : 1
    const itemLines = quote?.lines.slice(next, next + count) ?? []
    next += count
    return itemLines.length === count ? itemLines.reduce((sum, item) => sum + (parsePesos(item.total) ?? 0), 0) : null
  })
  return (
    <div className="stack gap-12">
      <ul className="basket-lines" aria-label="En la venta">
        {lines.map((item, at) => (
          <Line
            key={item.key}
            item={item}
            price={priced[at] ?? null}
            onChange={(set) => change(item.key, set)}
            onRemove={() => onChange(withoutItem(lines, item.key))}
          />
        ))}
      </ul>
      {list !== null && total !== null && (
        <dl className="basket-sums">
          {total !== list && (
            <>
              <div>
                <dt>Subtotal</dt>
                <dd>{formatMoney(list)}</dd>
              </div>
              <div>
                <dt>Descuento</dt>
                <dd>−{formatMoney(list - total)}</dd>
              </div>
            </>
          )}
          <div className="basket-total">
            <dt>Total</dt>
            <dd>{formatMoney(total)}</dd>
          </div>
          {quote && (
            <div className="small muted">
              <dt>IVA incluido</dt>
              <dd>{formatPesos(quote.iva)}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}

interface LineProps {
  item: BasketItem
  price: number | null
  onChange: (set: Partial<BasketItem>) => void
  onRemove: () => void
}

function Line({ item, price, onChange, onRemove }: LineProps) {
  const { title, quantity, reduction, spots, list } = item
  const seats = useSeats(spots && spots.length > 0 ? (item.single_class_id ?? null) : null)
  const [hasTerms, setHasTerms] = useState(item.starts_on !== '')
  const shown = price ?? (list === null ? null : (parsePesos(list) ?? 0) * quantity)
  return (
    <li className="basket-line">
      <div className="basket-row">
        <span className="grow">
          <span className="strong">{title}</span>
          <span className="small muted">{item.detail}</span>
        </span>
        {item.kind !== 'class' && (
          <span className="basket-steps">
            <IconButton
              bare
              label={`Uno menos de ${title}`}
              onClick={() => (quantity > 1 ? onChange({ quantity: quantity - 1 }) : onRemove())}
            >
              <IconMinus className="icon" aria-hidden="true" />
            </IconButton>
            <output aria-label={`Cuántos de ${title}`}>{quantity}</output>
            <IconButton bare label={`Uno más de ${title}`} onClick={() => onChange({ quantity: Math.min(50, quantity + 1) })}>
              <IconPlus className="icon" aria-hidden="true" />
            </IconButton>
          </span>
        )}
        <span className="strong basket-price">{item.withCredit ? '1 crédito' : shown === null ? '—' : formatMoney(shown)}</span>
      </div>
      <div className="basket-choices">
        <div className="row gap-8 wraps grow">
          {spots && spots.length > 0 && (
            <Select label="Lugar" value={item.spot ?? ''} onChange={(event) => onChange({ spot: event.currentTarget.value })}>
              {spots.map((spot) => (
                <option key={spot} value={spot}>
                  {spotName(spot, seatLabelIn({ seats }, spot))}
                </option>
              ))}
            </Select>
          )}
          {item.kind === 'class' && (
            <Segmented
              label={`Cómo se paga el lugar en ${title}`}
              options={[
                { value: 'price', label: list === null ? 'Suelta' : formatPesos(list) },
                { value: 'credit', label: 'Con un crédito' },
              ]}
              value={item.withCredit ? 'credit' : 'price'}
              onChange={(value) => onChange({ withCredit: value === 'credit', reduction: null })}
            />
          )}
          {item.kind !== 'gift_card' && !item.withCredit && (
            <button
              type="button"
              className="link link-alone basket-link"
              aria-expanded={reduction !== null}
              onClick={() => onChange({ reduction: reduction ? null : { by: 'percent', value: '', reason: '' } })}
            >
              <IconTag className="icon" aria-hidden="true" /> {reduction ? 'Quitar descuento' : 'Descuento'}
            </button>
          )}
          {item.kind === 'package' && !hasTerms && (
            <button type="button" className="link link-alone" onClick={() => setHasTerms(true)}>
              Empieza hoy
            </button>
          )}
          {item.kind === 'package' && !item.gift && (
            <button type="button" className="link link-alone" onClick={() => onChange({ gift: 'choosing' })}>
              Es regalo
            </button>
          )}
        </div>
        <IconButton bare label={`Quitar ${title} de la venta`} onClick={onRemove}>
          <IconTrash className="icon" aria-hidden="true" />
        </IconButton>
      </div>
      {item.gift && <Gift item={item} onChange={onChange} />}
      {item.kind === 'package' && hasTerms && <Terms item={item} onChange={onChange} />}
      {reduction && (
        <ReductionFields
          title={title}
          isPackage={item.kind === 'package'}
          value={reduction}
          onChange={(next) => onChange({ reduction: next })}
        />
      )}
    </li>
  )
}

/** The recipient of a gift package: the buyer pays, the recipient gets the credits. */
function Gift({ item: { title, gift, class_package_id }, onChange }: { item: BasketItem; onChange: (set: Partial<BasketItem>) => void }) {
  const [creating, setCreating] = useState<string | null>(null)
  // Another gift of the same package is another item.
  const give = ({ customer_id, name, last_name }: GiftTo) =>
    onChange({ gift: { customer_id, name, last_name }, key: `package-${class_package_id}-gift-${customer_id}` })
  const stop = () => onChange({ gift: undefined })
  if (gift && gift !== 'choosing')
    return (
      <p className="basket-gift">
        <IconGift className="icon" aria-hidden="true" />
        <span className="grow">
          De regalo para{' '}
          <span className="strong">
            {gift.name} {gift.last_name}
          </span>
        </span>
        <button type="button" className="link link-alone" onClick={stop}>
          Ya no es regalo
        </button>
      </p>
    )
  return (
    <fieldset className="basket-reduction">
      <legend className="small strong">¿Para quién es {title}?</legend>
      {creating !== null ? (
        <NewCustomer typed={creating} onMade={give} onBack={() => setCreating(null)} />
      ) : (
        <CustomerSearch label="Quien lo recibe" onChoose={give} onCreate={setCreating} />
      )}
      <button type="button" className="link link-alone basket-link" onClick={stop}>
        Ya no es regalo
      </button>
    </fieldset>
  )
}

/** When a package begins, at most 60 days from today, and for how many days it is valid. */
function Terms({ item, onChange }: { item: BasketItem; onChange: (set: Partial<BasketItem>) => void }) {
  const { zone } = useSite()
  const today = todayIn(zone)
  return (
    <div className="field-pair">
      <TextField
        label="Empieza el"
        type="date"
        min={addDays(today, -STARTS_WITHIN_DAYS)}
        max={addDays(today, STARTS_WITHIN_DAYS)}
        value={item.starts_on}
        onChange={(event) => onChange({ starts_on: event.currentTarget.value })}
      />
      {!item.renews && (
        <TextField
          label="Vigencia en días"
          optional
          inputMode="numeric"
          maxLength={4}
          value={item.package_days ?? ''}
          onChange={(event) => onChange({ package_days: event.currentTarget.value.replace(/\D/g, '') })}
        />
      )}
    </div>
  )
}

const BY: readonly { value: Reduction['by']; label: string }[] = [
  { value: 'percent', label: '%' },
  { value: 'amount', label: '$' },
  { value: 'price', label: 'Precio' },
  { value: 'code', label: 'Código' },
]
const LABELS: Record<Reduction['by'], string> = { percent: 'Porcentaje', amount: 'Cuánto menos', price: 'Precio de uno', code: 'Código' }

function ReductionFields({
  title,
  isPackage,
  value,
  onChange,
}: {
  title: string
  isPackage: boolean
  value: Reduction
  onChange: (value: Reduction) => void
}) {
  const problem = reductionProblem(value)
  return (
    <fieldset className="basket-reduction">
      <legend className="small strong">Descuento en {title}</legend>
      <Segmented
        label="Tipo de descuento"
        options={isPackage ? BY : BY.filter((choice) => choice.value !== 'code')}
        value={value.by}
        onChange={(by) => onChange({ ...value, by, value: '' })}
      />
      <div className="field-pair">
        <TextField
          label={LABELS[value.by]}
          inputMode={value.by === 'code' ? 'text' : 'decimal'}
          maxLength={60}
          value={value.value}
          onChange={(event) => onChange({ ...value, value: event.currentTarget.value })}
        />
        {value.by !== 'code' && (
          <TextField
            label="Motivo"
            maxLength={300}
            value={value.reason}
            onChange={(event) => onChange({ ...value, reason: event.currentTarget.value })}
          />
        )}
      </div>
      {problem && <p className="small muted">{problem}</p>}
    </fieldset>
  )
}
