import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { formatMoney, formatPesos, pesos } from '#contract/money.ts'
import type { SingleClass } from '#contract/schedule.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { capitalize } from '#contract/text.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { isCancelled, isOver } from '#web/features/admin/day/day-facts.ts'
import { useDays } from '#web/features/admin/day/use-days.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import { type BasketItem, classItem, packageItem, packagePrice, piecesAt, productItem, typedPesos } from './basket.ts'

type View = 'favourites' | 'packages' | 'classes' | 'products' | 'other'

const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'favourites', label: 'Favoritos' },
  { value: 'packages', label: 'Paquetes' },
  { value: 'classes', label: 'Clases' },
  { value: 'products', label: 'Productos' },
  { value: 'other', label: 'Otro monto' },
]
const FAVOURITES = 6
/** Number of days after today whose classes are offered under "Clases". */
const DAYS_AHEAD = 6

interface OfferPanelProps {
  location_id: number | null
  lines: readonly BasketItem[]
  onAdd: (line: BasketItem) => void
}

/** What can be sold: favourites with today's classes, all packages, the classes of a week, or a free text with an amount. */
export function OfferPanel({ location_id, lines, onAdd }: OfferPanelProps) {
  const staff = useStaff()
  const [view, setView] = useState<View>('favourites')
  const packages = useQuery(queries.studioPackages.all.queryOptions({ input: {}, staleTime: 60_000, meta: { handled: true } }))
  const offered = (packages.data?.class_packages ?? []).filter((classPackage) => classPackage.available)
  const favourites = [...offered].sort((a, b) => b.sold - a.sold).slice(0, FAVOURITES)
  const shown = view === 'packages' ? offered : favourites
  return (
    <div className="stack gap-16">
      <Segmented label="Qué se vende" options={VIEWS} value={view} onChange={setView} />
      {view === 'other' && <OtherAmount onAdd={onAdd} />}
      {view === 'other' && <GiftCardAmount onAdd={onAdd} />}
      {view === 'products' && <ProductsToSell location_id={location_id} lines={lines} onAdd={onAdd} />}
      {(view === 'favourites' || view === 'packages') && (
        <Loaded
          query={packages}
          skeleton={<ListSkeleton rows={3} />}
          failed="No pudimos cargar los paquetes."
          nothing={
            shown.length === 0 && (
              <EmptyState {...(may(staff, 'catalogue.edit') ? { next: { label: 'Crear paquete', to: adminPaths.packages } } : {})}>
                No hay paquetes a la venta.
              </EmptyState>
            )
          }
        >
          <ul className="offer-tiles" aria-label="Paquetes">
            {shown.map((classPackage) => (
              <Tile
                key={classPackage.class_package_id}
                offered={classPackage}
                count={countOf(lines, `package-${classPackage.class_package_id}`)}
                onAdd={onAdd}
              />
            ))}
          </ul>
        </Loaded>
      )}
      {(view === 'favourites' || view === 'classes') && (
        <ClassesToSell location_id={location_id} days={view === 'classes' ? DAYS_AHEAD : 0} lines={lines} onAdd={onAdd} />
      )}
    </div>
  )
}

const countOf = (lines: readonly BasketItem[], key: string): number => lines.find((line) => line.key === key)?.quantity ?? 0

/** How long a package is valid: "60 días", "cada mes", "hasta usarlas". */
function lastsText({ is_subscription, subscription_period, subscription_interval, expiration_days }: StudioPackage): string {
  if (is_subscription) {
    const every = subscription_interval ?? 1
    const [single, several] = { day: ['cada día', 'días'], month: ['cada mes', 'meses'], year: ['cada año', 'años'] }[
      subscription_period ?? 'month'
    ]
    return every === 1 ? (single ?? '') : `cada ${every} ${several}`
  }
  return expiration_days > 0 ? `${expiration_days} ${expiration_days === 1 ? 'día' : 'días'}` : 'sin vencimiento'
}

function Tile({ offered, count, onAdd }: { offered: StudioPackage; count: number; onAdd: OfferPanelProps['onAdd'] }) {
  const soldOut = offered.left !== null && offered.left <= 0
  return (
    <li>
      <button
        type="button"
        className={`offer-tile ${count > 0 ? 'offer-tile-chosen' : ''}`}
        disabled={soldOut}
        onClick={() => onAdd(packageItem(offered, lastsText(offered)))}
      >
        <span className="offer-number" aria-hidden="true">
          {offered.class_amount < 0 ? '∞' : offered.class_amount}
        </span>
        {count > 0 && (
          <span className="offer-count">
            {count}
            <span className="sr-only"> en la venta</span>
          </span>
        )}
        <span className="strong offer-title">{offered.title}</span>
        <span className="offer-foot">
          <span className="small muted">{soldOut ? 'Agotado' : lastsText(offered)}</span>
          <span className="strong">{formatPesos(packagePrice(offered))}</span>
        </span>
      </button>
    </li>
  )
}

/** Products with the pieces left at the location. */
function ProductsToSell({ location_id, lines, onAdd }: OfferPanelProps) {
  const query = useQuery(queries.products.list.queryOptions({ input: {}, meta: { handled: true } }))
  const products = query.data?.products ?? []
  return (
    <Loaded
      query={query}
      skeleton={<ListSkeleton rows={3} />}
      failed="No pudimos cargar los productos."
      nothing={products.length === 0 && <EmptyState>Todavía no hay productos a la venta.</EmptyState>}
    >
      <ul className="offer-tiles" aria-label="Productos">
        {products.map((product) => {
          const count = countOf(lines, `product-${product.product_id}`)
          const left = piecesAt(product, location_id)
          return (
            <li key={product.product_id}>
              <button
                type="button"
                className={`offer-tile ${count > 0 ? 'offer-tile-chosen' : ''}`}
                disabled={left !== null && left <= count}
                onClick={() => onAdd(productItem(product))}
              >
                {count > 0 && (
                  <span className="offer-count">
                    {count}
                    <span className="sr-only"> en la venta</span>
                  </span>
                )}
                <span className="strong offer-title">{product.name}</span>
                <span className="offer-foot">
                  <span className="small muted">{left === null ? ' ' : left === 0 ? 'Agotado' : `${left} en existencia`}</span>
                  <span className="strong">{formatPesos(product.price)}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </Loaded>
  )
}

function ClassesToSell({ location_id, days, lines, onAdd }: OfferPanelProps & { days: number }) {
  const site = useSite()
  const now = useNow()
  const today = todayIn(site.zone)
  const query = useDays(today, addDays(today, days), location_id)
  const daysToSell = (query.data?.days ?? [])
    .map((day) => ({ ...day, classes: day.classes.filter((cls) => !isCancelled(cls) && !isOver(cls, now)) }))
    .filter((day) => day.classes.length > 0)
  return (
    <section className="panel-card" aria-label="Clases">
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar las clases."
        nothing={
          daysToSell.length === 0 && (
            <p className="panel-body muted">{days === 0 ? 'Hoy ya no hay clases.' : 'No hay clases en estos días.'}</p>
          )
        }
      >
        {daysToSell.map((day) => (
          <div key={day.date}>
            <h2 className="offer-day">{day.date === today ? 'Hoy' : capitalize(formatWall(`${day.date}T00:00:00Z`, 'long'))}</h2>
            <ul className="offer-classes">
              {day.classes.map((cls) => (
                <ClassRow key={cls.single_class_id} cls={cls} isChosen={countOf(lines, `class-${cls.single_class_id}`) > 0} onAdd={onAdd} />
              ))}
            </ul>
          </div>
        ))}
      </Loaded>
    </section>
  )
}

function ClassRow({ cls, isChosen, onAdd }: { cls: SingleClass; isChosen: boolean; onAdd: OfferPanelProps['onAdd'] }) {
  const hour = formatWall(cls.class_date, 'hour')
  const spotsLeft = cls.places_left
  const coaches = cls.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y ')
  const isFull = cls.capacity === null || spotsLeft === 0
  return (
    <li className={`offer-class ${isFull ? 'muted' : ''}`}>
      <span className="strong hour">{hour}</span>
      <span className="grow">
        <span className="strong">{cls.class_type.name}</span>
        <span className="small muted">{[coaches, cls.location.name].filter(Boolean).join(' · ')}</span>
      </span>
      <span className="small">{isFull ? 'Sin lugares' : spotsLeft === 1 ? 'Último lugar' : `${spotsLeft} lugares`}</span>
      {!isFull && (
        <IconButton
          label={`Agregar un lugar en ${cls.class_type.name} de las ${hour}`}
          aria-pressed={isChosen}
          onClick={() => onAdd(classItem(cls, `${formatWall(cls.class_date, 'class')} · ${cls.location.name}`))}
        >
          <IconPlus className="icon" aria-hidden="true" />
        </IconButton>
      )}
    </li>
  )
}

/** An item without a list price: text and amount. */
function OtherAmount({ onAdd }: { onAdd: OfferPanelProps['onAdd'] }) {
  const [title, setTitle] = useState('')
  const [amount, setAmount] = useState('')
  const centavos = typedPesos(amount)
  const problem = title.trim().length < 2 ? 'Escribe qué se vende.' : !centavos ? 'Escribe una cantidad.' : null
  return (
    <form
      className="panel-card panel-body stack gap-12"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (problem || !centavos) return
        onAdd({
          key: `other-${title.trim()}-${centavos}`,
          kind: 'other',
          title: title.trim(),
          detail: 'Otro monto',
          list: (centavos / 100).toFixed(2),
          quantity: 1,
          starts_on: '',
          reduction: null,
        })
        setTitle('')
        setAmount('')
      }}
    >
      <div className="field-pair">
        <TextField label="Qué es" maxLength={120} value={title} onChange={(event) => setTitle(event.currentTarget.value)} />
        <TextField
          label="Precio"
          inputMode="decimal"
          maxLength={12}
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" variant="outline" reason={problem}>
        Agregar a la venta
      </Button>
    </form>
  )
}

const GIFT_AMOUNTS = ['300', '500', '1000']

/** A gift card: its value. */
function GiftCardAmount({ onAdd }: { onAdd: OfferPanelProps['onAdd'] }) {
  const [amount, setAmount] = useState('')
  const centavos = typedPesos(amount)
  const problem = centavos ? null : 'Escribe cuánto vale.'
  return (
    <form
      className="panel-card panel-body stack gap-12"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!centavos) return
        onAdd({
          key: `gift-${centavos}`,
          kind: 'gift_card',
          title: `Tarjeta de regalo de ${formatMoney(centavos)}`,
          detail: 'El código se muestra al cobrar',
          list: pesos(centavos),
          quantity: 1,
          starts_on: '',
          reduction: null,
        })
        setAmount('')
      }}
    >
      <h2 className="t3">Tarjeta de regalo</h2>
      <TextField
        label="Valor de la tarjeta"
        inputMode="decimal"
        maxLength={12}
        before={<span className="muted">$</span>}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <div className="row gap-8 wraps">
        {GIFT_AMOUNTS.map((giftAmount) => (
          <Button
            key={giftAmount}
            type="button"
            variant="outline"
            size="small"
            aria-pressed={amount === giftAmount}
            onClick={() => setAmount(giftAmount)}
          >
            {formatPesos(`${giftAmount}.00`)}
          </Button>
        ))}
      </div>
      <Button type="submit" variant="outline" reason={problem}>
        Agregar tarjeta de regalo
      </Button>
    </form>
  )
}
