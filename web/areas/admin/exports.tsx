import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { EXPORT_PARTS, type ExportFormat, type ExportPart, exportParts } from '#contract/export-parts.ts'
import { SCHEDULED_EXPORT_DAYS, type StudioExport } from '#contract/studio-export.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import '#web/features/admin/imports/imports.css'
import { isWholeStudioOnly, WholeStudioOnly } from '#web/features/admin/imports/whole-studio.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { saveFile } from '#web/lib/save-file.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Select } from '#web/ui/field.tsx'

export const handle: AdminHandle = { title: 'Exportar' }

/** While an export is being made. */
const REFRESH_MS = 1_500
const isBusy = (studioExport: StudioExport) => studioExport.state === 'waiting' || studioExport.state === 'running'

/** Exportar: the whole studio as files, made by a job. */
export default function Exports() {
  const client = useQueryClient()
  const [withFiles, setWithFiles] = useState(true)
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [parts, setParts] = useState<readonly ExportPart[]>(EXPORT_PARTS)
  const isWhole = parts.length === EXPORT_PARTS.length
  const options = queries.studioExport.list.queryOptions({ meta: { handled: true } })
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data?.exports.some(isBusy) ? REFRESH_MS : false) })
  const start = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioExport.start({ with_files: withFiles, format, what: isWhole ? 'todo' : [...parts] }),
    onSuccess: () => client.invalidateQueries({ queryKey: options.queryKey }),
    onError: alertFailure,
  })
  const rows = query.data?.exports ?? []
  if (isWholeStudioOnly(query))
    return (
      <WholeStudioOnly title="Exportar">
        Las exportaciones traen lo de todos los estudios, y tú trabajas solo en algunos. Pídelas a quien trabaje en todos.
      </WholeStudioOnly>
    )
  return (
    <>
      <ScreenHead title="Exportar" about="Todo tu estudio como archivos, gratis y siempre. Es tuyo." />
      <section className="panel-card import-card" aria-labelledby="export-new">
        <h2 id="export-new" className="t3">
          Exportar todo
        </h2>
        <p>
          Un ZIP con un archivo por tabla y un LEEME que explica sus columnas: clientes, clases, reservaciones, ventas, catálogo, mensajes y
          bitácora. Siete de los CSV se importan en otro Estudio. Nunca van tarjetas ni contraseñas.
        </p>
        <fieldset className="import-parts">
          <legend className="small muted">Qué trae</legend>
          {EXPORT_PARTS.map((part) => (
            <Checkbox
              key={part}
              checked={parts.includes(part)}
              onChange={() =>
                setParts(
                  EXPORT_PARTS.filter((exportPart) => (exportPart === part ? !parts.includes(exportPart) : parts.includes(exportPart))),
                )
              }
            >
              {exportParts[part]}
            </Checkbox>
          ))}
        </fieldset>
        <Select label="Formato" value={format} onChange={(event) => setFormat(event.currentTarget.value as ExportFormat)}>
          <option value="csv">CSV, para cualquier programa</option>
          <option value="xlsx">Excel</option>
          <option value="json">JSON, para programadores</option>
        </Select>
        <Checkbox checked={withFiles} onChange={(event) => setWithFiles(event.currentTarget.checked)}>
          Con fotos y documentos
        </Checkbox>
        <Button
          loading={start.isPending}
          reason={rows.some(isBusy) ? 'Ya se está haciendo una.' : parts.length === 0 ? 'Elige qué exportar.' : null}
          onClick={() => start.mutate()}
        >
          {isWhole ? 'Exportar todo' : 'Exportar'}
        </Button>
        <p className="small muted">
          ¿Una copia cada domingo, sin pedirla? Se enciende en{' '}
          <AppLink to={adminPaths.settingsArea('archivos')} className="link">
            Ajustes › Archivos
          </AppLink>
          , y se guarda {SCHEDULED_EXPORT_DAYS} días.
        </p>
      </section>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={2} />}
        failed="No pudimos cargar las exportaciones."
        nothing={rows.length === 0 && <p className="muted import-heading">Todavía no hay ninguna para descargar.</p>}
      >
        <h2 className="t3 import-heading">Para descargar</h2>
        <ul className="import-exports" aria-label="Exportaciones">
          {rows.map((row) => (
            <ExportItem key={row.studio_export_id} studioExport={row} />
          ))}
        </ul>
      </Loaded>
    </>
  )
}

const FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = { csv: 'CSV', xlsx: 'Excel', json: 'JSON' }

function ExportItem({ studioExport }: { studioExport: StudioExport }) {
  const site = useSite()
  const { studio_export_id, created_by, createdAt, until, bytes, done, total, what, format } = studioExport
  const download = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioExport.file({ studio_export_id }),
    onSuccess: saveFile,
    onError: alertFailure,
  })
  const when = formatInstant(new Date(createdAt), site.zone, 'class')
  return (
    <li className="panel-card import-card">
      <p>
        <span className="strong">{when}</span> <span className="muted">· {created_by ?? 'La de cada semana'}</span>
      </p>
      {isBusy(studioExport) ? (
        <>
          <progress max={Math.max(1, total)} value={done} aria-label={`Avance de la exportación del ${when}`} />
          <p className="muted" role="status">
            {total === 0 ? 'En espera.' : `Van ${done} de ${total} partes.`} Puedes cerrar esta pantalla: sigue sola.
          </p>
        </>
      ) : studioExport.state === 'failed' ? (
        <p className="text-danger" role="status">
          No se pudo terminar. Se vuelve a intentar sola en unos minutos; si no aparece lista, pide otra.
        </p>
      ) : (
        <>
          <p className="muted">
            {what === 'todo' ? 'Todo' : what.map((part) => exportParts[part]).join('; ')} · {FORMAT_NAMES[format]} · {sizeText(bytes ?? 0)}
            {until && ` · se puede descargar hasta el ${formatInstant(new Date(until), site.zone, 'class')}`}
          </p>
          <Button
            variant="outline"
            icon={<IconDownload className="icon" aria-hidden="true" />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            Descargar
          </Button>
        </>
      )}
    </li>
  )
}

/** "340 kB", "12.4 MB". */
const sizeText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString('es-MX')} kB`
    : `${(bytes / 1_000_000).toLocaleString('es-MX', { maximumFractionDigits: 1 })} MB`
