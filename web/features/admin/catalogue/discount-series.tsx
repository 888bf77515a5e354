import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SERIES_MAX, type StudioDiscount } from '#contract/discounts.ts'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { PackagesField } from '#web/features/admin/catalogue/packages-field.tsx'
import { SegmentField } from '#web/features/admin/catalogue/segment-field.tsx'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'

interface Series {
  name: string
  rows: StudioDiscount[]
}

/** Codes of a series as CSV for Excel. No code begins like a formula. */
function saveCodes({ name, rows }: Series): void {
  const lines = [...rows].sort((a, b) => a.code.localeCompare(b.code)).map(({ code, used }) => `${code},${used ? 'sí' : 'no'}`)
  const content = `\uFEFFcódigo,usado\r\n${lines.join('\r\n')}\r\n`
  saveFile(new File([content], `codigos-${name.toLowerCase()}.csv`, { type: 'text/csv;charset=utf-8' }))
}

/** Series of single-use codes: how many were used, their codes as a file, and whether they can be used. */
export function DiscountSeries() {
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const query = useQuery(queries.discounts.all.queryOptions({ input: {}, meta: { handled: true } }))
  const switching = useMutation({
    mutationFn: ({ name, available }: { name: string; available: boolean }) => api.discounts.switchSeries({ series: name, available }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.discounts.key() }),
  })
  const byName = new Map<string, StudioDiscount[]>()
  for (const row of query.data?.descuentos ?? []) if (row.series) byName.set(row.series, [...(byName.get(row.series) ?? []), row])
  return (
    <section className="stack gap-12 discount-series" aria-labelledby="series">
      <div className="row spread wraps gap-8">
        <h2 id="series" className="t3">
          Series de códigos
        </h2>
        <Button variant="outline" size="small" onClick={() => setCreating(true)}>
          Nueva serie
        </Button>
      </div>
      {byName.size === 0 ? (
        <p className="muted">Una serie son muchos códigos de un solo uso, para repartir uno a cada persona.</p>
      ) : (
        <ul className="panel-card catalogue-list">
          {[...byName].map(([name, rows]) => {
            const used = rows.filter((row) => row.used > 0).length
            const isOn = rows.some((row) => row.available && row.used === 0)
            const [first] = rows
            // Null without the right to see money.
            const income = rows.every((row) => row.income !== null)
              ? rows.reduce((sum, row) => sum + (parsePesos(row.income ?? '0') ?? 0), 0)
              : null
            return (
              <li key={name} className="row spread wraps gap-8 discount-series-row">
                <span>
                  <span className="strong">{name}</span>
                  <span className="small muted">
                    {first && `${first.is_percent ? `${Number(first.amount)} %` : formatPesos(first.amount)} · `}
                    {used.toLocaleString('es-MX')} de {rows.length.toLocaleString('es-MX')} usados
                    {income !== null && used > 0 && ` · ${formatMoney(income)} vendidos`}
                    {!isOn && used < rows.length && ' · no se pueden usar'}
                  </span>
                </span>
                <span className="row gap-8 wraps">
                  <Button variant="outline" size="small" onClick={() => saveCodes({ name, rows })}>
                    Descargar códigos<span className="sr-only"> de {name}</span>
                  </Button>
                  {used < rows.length && (
                    <Button
                      variant="quiet"
                      size="small"
                      loading={switching.isPending && switching.variables.name === name}
                      onClick={() => !switching.isPending && switching.mutate({ name, available: !isOn })}
                    >
                      {isOn ? 'Desactivar' : 'Activar'}
                      <span className="sr-only"> {name}</span>
                    </Button>
                  )}
                </span>
              </li>
            )
          })}
        </ul>
      )}
      {creating && <SeriesDialog onClose={() => setCreating(false)} />}
    </section>
  )
}

function SeriesDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [values, setValues] = useState({ prefix: '', count: '100', amount: '', starts: '', ends: '', packages: '', segment: '' })
  const [isPercent, setPercent] = useState(true)
  const [isFirstOnly, setFirstOnly] = useState(false)
  const set = (key: keyof typeof values) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setValues((before) => ({ ...before, [key]: value }))
  }
  const creating = useIdempotentMutation(api.discounts.createSeries, {
    async onSuccess({ series, codes }) {
      await client.invalidateQueries({ queryKey: queries.discounts.key() })
      showAlert(
        'success',
        codes.length === 1 ? `Se creó 1 código ${series}.` : `Se crearon ${codes.length.toLocaleString('es-MX')} códigos ${series}.`,
      )
      onClose()
    },
    onError: () => undefined,
  })
  const refused = creating.error ? toFailure(creating.error) : null
  const wrong = fieldErrors(refused)
  const count = Number(values.count)
  const problem =
    values.prefix.trim().length < 2
      ? 'Escribe con qué empiezan los códigos.'
      : !Number.isInteger(count) || count < 1 || count > SERIES_MAX
        ? `Pueden ser de 1 a ${SERIES_MAX.toLocaleString('es-MX')} códigos.`
        : !/^\d{1,6}(\.\d{1,2})?$/.test(values.amount.trim())
          ? 'Escribe cuánto descuentan, como 20 o 150.50.'
          : null
  return (
    <Dialog
      open
      onClose={creating.isPending ? null : onClose}
      title="Nueva serie de códigos"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No crear
          </Button>
          <Button
            loading={creating.isPending}
            reason={problem}
            onClick={() =>
              !problem &&
              creating.mutate({
                prefix: values.prefix,
                count,
                amount: values.amount.trim(),
                is_percent: isPercent,
                first_invoice_only: isFirstOnly,
                ...(values.packages ? { class_package_ids: values.packages.split(',').map(Number) } : {}),
                ...(values.segment ? { segment_id: Number(values.segment) } : {}),
                ...(values.starts ? { starts_on: values.starts } : {}),
                ...(values.ends ? { ends_on: values.ends } : {}),
              })
            }
          >
            Crear códigos
          </Button>
        </>
      }
    >
      {refused && (
        <Banner tone="danger" live>
          {refused.message}
        </Banner>
      )}
      <TextField
        label="Empiezan con"
        maxLength={20}
        autoCapitalize="characters"
        hint="Como NAVIDAD: salen códigos como NAVIDAD-7KQ2MXRP."
        value={values.prefix}
        error={wrong.prefix}
        onChange={set('prefix')}
      />
      <TextField label="Cuántos" inputMode="numeric" maxLength={4} value={values.count} error={wrong.count} onChange={set('count')} />
      <TextField
        label="Cuánto descuentan"
        inputMode="decimal"
        maxLength={9}
        value={values.amount}
        error={wrong.amount}
        onChange={set('amount')}
      />
      <Checkbox checked={isPercent} onChange={(event) => setPercent(event.currentTarget.checked)}>
        Es un porcentaje
      </Checkbox>
      <Checkbox checked={isFirstOnly} onChange={(event) => setFirstOnly(event.currentTarget.checked)}>
        Solo en el primer cobro de una suscripción
      </Checkbox>
      <div className="field-pair">
        <TextField label="Desde" type="date" optional value={values.starts} error={wrong.starts_on} onChange={set('starts')} />
        <TextField label="Hasta" type="date" optional value={values.ends} error={wrong.ends_on} onChange={set('ends')} />
      </div>
      <PackagesField
        label="Para qué paquetes"
        hint="Sin elegir: para todos."
        error={wrong.class_package_ids}
        value={values.packages}
        onChange={(packages) => setValues((before) => ({ ...before, packages }))}
      />
      <SegmentField
        label="Para quién"
        hint="Quien esté en el segmento cuando compra."
        error={wrong.segment_id}
        value={values.segment}
        onChange={(segment) => setValues((before) => ({ ...before, segment }))}
      />
      <p className="small muted">Cada código se usa una sola vez.</p>
    </Dialog>
  )
}
