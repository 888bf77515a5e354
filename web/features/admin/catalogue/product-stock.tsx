import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import { type CatalogueRecord, text } from './catalogue-lists.ts'

interface StockLocation {
  location_id: number
  name: string
}

/** The pieces of a product at each location, which are corrected with a reason. */
export function ProductStock({ row }: { row: CatalogueRecord }) {
  const locations =
    useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } })).data?.locations ?? []
  const [correcting, setCorrecting] = useState<StockLocation | null>(null)
  const piecesAt = ({ location_id }: StockLocation) => row[`pieces_${location_id}`]
  return (
    <section className="record-uses" aria-label="Existencias">
      <h3 className="t4">Existencias</h3>
      <ul className="record-stock">
        {locations.map((location) => (
          <li key={location.location_id}>
            <span className="grow">
              <span className="strong">{location.name}</span>
              <span className="small muted">
                {piecesAt(location) === undefined ? 'No se cuentan' : piecesText(Number(piecesAt(location)))}
              </span>
            </span>
            <Button variant="outline" size="small" onClick={() => setCorrecting(location)}>
              {piecesAt(location) === undefined ? 'Contar' : 'Corregir'}
              <span className="sr-only"> en {location.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {correcting && (
        <CorrectStock
          product_id={Number(row.product_id)}
          name={text(row.name)}
          location={correcting}
          pieces={piecesAt(correcting) === undefined ? null : Number(piecesAt(correcting))}
          onClose={() => setCorrecting(null)}
        />
      )}
    </section>
  )
}

const piecesText = (pieces: number): string => (pieces === 1 ? '1 pieza' : `${pieces} piezas`)

type Kind = 'in' | 'out' | 'counted'
const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'in', label: 'Entraron' },
  { value: 'out', label: 'Salieron' },
  { value: 'counted', label: 'Conté' },
]

interface CorrectStockProps {
  product_id: number
  name: string
  location: StockLocation
  /** null: not counted yet */
  pieces: number | null
  onClose: () => void
}

function CorrectStock({ product_id, name, location, pieces, onClose }: CorrectStockProps) {
  const client = useQueryClient()
  const [kind, setKind] = useState<Kind>(pieces === null ? 'counted' : 'in')
  const [typed, setTyped] = useState('')
  const many = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : null
  const after = many === null ? null : kind === 'counted' ? many : (pieces ?? 0) + (kind === 'in' ? many : -many)
  const problem =
    many === null || (many === 0 && kind !== 'counted')
      ? 'Escribe cuántas piezas.'
      : after !== null && after < 0
        ? `Solo hay ${pieces}.`
        : null
  return (
    <ReasonDialog
      title={`Existencias de ${name} en ${location.name}`}
      yes="Guardar"
      no="Cancelar"
      problem={problem}
      send={(reason) =>
        api.products.correct({
          product_id,
          location_id: location.location_id,
          reason,
          ...(kind === 'counted' ? { counted: many } : { change: kind === 'in' ? many : -(many ?? 0) }),
        })
      }
      onDone={() => {
        showAlert('success', 'Guardado.')
        void client.invalidateQueries({ queryKey: queries.products.key() })
        onClose()
      }}
      onClose={onClose}
    >
      <div className="stack gap-12">
        {pieces !== null && <Segmented label="Qué pasó" options={KINDS} value={kind} onChange={setKind} />}
        <TextField
          label="Piezas"
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          value={typed}
          hint={pieces === null ? 'Desde ahora se cuentan aquí.' : `Hay ${piecesText(pieces)}.`}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <p role="status" className="small">
          {after !== null && !problem && pieces !== null && `${after === 1 ? 'Queda' : 'Quedan'} ${piecesText(after)}.`}
        </p>
      </div>
    </ReasonDialog>
  )
}
