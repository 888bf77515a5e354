import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { addMonths } from '#contract/time.ts'
import { useLocationChoices, useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { api } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'

const MONTHS_BACK = 24
const monthText = new Intl.DateTimeFormat('es-MX', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The invoices of a month as one archive for the accountant. */
export function MonthInvoices() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <IconDownload className="icon" aria-hidden="true" /> Para tu contabilidad
      </button>
      {open && <MonthDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function MonthDialog({ onClose }: { onClose: () => void }) {
  const { zone } = useSite()
  const locations = useLocationChoices()
  const shown = useLocationFilter()
  const thisMonth = `${todayIn(zone).slice(0, 7)}-01`
  const months = Array.from({ length: MONTHS_BACK }, (_, back) => addMonths(thisMonth, -back))
  const [month, setMonth] = useState(months[1] ?? thisMonth)
  const [location, setLocation] = useState(shown === null ? '' : String(shown))
  const making = useMutation({
    meta: { handled: true },
    mutationFn: () => api.fiscal.month({ month: month.slice(0, 7), ...(location ? { location_id: Number(location) } : {}) }),
    onSuccess(file) {
      saveFile(file)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Facturas para tu contabilidad"
      actions={
        <Button loading={making.isPending} onClick={() => making.mutate()}>
          Descargar
        </Button>
      }
    >
      {making.isError && (
        <Banner tone="danger" live>
          {toFailure(making.error).message}
        </Banner>
      )}
      <p>
        Un ZIP con el XML y el PDF de lo que se expidió o se canceló en el mes, los acuses de cancelación, una lista de todo y los cargos
        sin factura.
      </p>
      <Select label="Mes" value={month} onChange={(event) => setMonth(event.currentTarget.value)}>
        {months.map((day) => (
          <option key={day} value={day}>
            {monthText.format(new Date(`${day}T12:00:00Z`))}
          </option>
        ))}
      </Select>
      {locations.length > 1 && (
        <Select label="Estudio" value={location} onChange={(event) => setLocation(event.currentTarget.value)}>
          <option value="">Todos los Estudios</option>
          {locations.map(({ location_id, name }) => (
            <option key={location_id} value={location_id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <p role="status" className="small muted">
        {making.isPending && 'Con muchas facturas tarda unos minutos.'}
      </p>
    </Dialog>
  )
}
