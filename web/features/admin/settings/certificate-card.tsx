import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { FiscalCertificate } from '#contract/fiscal.ts'
import { formatInstant } from '#contract/time.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/field.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FiscalProviderCard } from './fiscal-provider-card.tsx'

const STATES: Readonly<Record<FiscalCertificate['state'], { text: string; tone: BadgeTone }>> = {
  valid: { text: 'Vigente', tone: 'ok' },
  ending: { text: 'Por vencer', tone: 'warn' },
  expired: { text: 'Vencido', tone: 'danger' },
  early: { text: 'Todavía no empieza', tone: 'warn' },
  other_rfc: { text: 'De otro RFC', tone: 'danger' },
}

/** The certificate of digital seal that signs the invoices: whose it is, how long it is valid, and how it is replaced. */
export default function CertificateCard() {
  const { zone } = useSite()
  const mayReplace = may(useStaff(), 'settings.code')
  const [isReplacing, setIsReplacing] = useState(false)
  const query = useQuery(queries.fiscal.setup.queryOptions({ meta: { handled: true } }))
  if (query.isError) return <PartNotLoaded query={query}>No pudimos leer el certificado de tus facturas.</PartNotLoaded>
  if (!query.data) return <Skeleton height="180px" />
  const { certificate, missing, is_test, ready, rfc } = query.data
  const day = (at: string) => formatInstant(new Date(at), zone, 'date')
  return (
    <div className="processors">
      {!ready && <Banner tone="warn">Para facturar falta {new Intl.ListFormat('es-MX').format(missing)}.</Banner>}
      {is_test && <Banner tone="brand">Timbrado de prueba: estas facturas no tienen validez fiscal.</Banner>}
      <ul>
        <FiscalProviderCard />
        <li className="processor">
          <div className="processor-head">
            <h3 className="strong">Certificado de sello digital (CSD)</h3>
            {certificate ? (
              <Badge tone={STATES[certificate.state].tone}>{STATES[certificate.state].text}</Badge>
            ) : (
              <Badge tone="outline">Sin certificado</Badge>
            )}
          </div>
          {certificate ? (
            <>
              <p className="small setting-value">
                {certificate.name} · {certificate.rfc}
              </p>
              <p className="small muted setting-value">Número {certificate.number}</p>
              <p className="small">
                Del {day(certificate.valid_from)} al {day(certificate.valid_until)}
              </p>
              {certificate.state === 'other_rfc' && (
                <p className="small">
                  {rfc ? `El RFC del estudio es ${rfc}: con este certificado no se puede facturar.` : 'Primero guarda el RFC del estudio.'}
                </p>
              )}
            </>
          ) : (
            <p className="small muted">
              {is_test ? 'En pruebas se crea solo con la primera factura.' : 'Genéralo en Certifica, del SAT, y súbelo aquí.'}
            </p>
          )}
          {mayReplace && (
            <Button variant="outline" size="small" aria-haspopup="dialog" onClick={() => setIsReplacing(true)}>
              {certificate ? 'Cambiar certificado' : 'Subir certificado'}
            </Button>
          )}
        </li>
      </ul>
      <p className="small muted">La llave se guarda cifrada y no se vuelve a mostrar. Su contraseña no se guarda.</p>
      {isReplacing && <CertificateDialog rfc={rfc} onClose={() => setIsReplacing(false)} />}
    </div>
  )
}

interface CertificateDialogProps {
  /** of the studio; empty: not set yet */
  rfc: string
  onClose: () => void
}

function CertificateDialog({ rfc, onClose }: CertificateDialogProps) {
  const client = useQueryClient()
  const [certificate, setCertificate] = useState<File | null>(null)
  const [key, setKey] = useState<File | null>(null)
  const [password, setPassword] = useState('')
  const { run, proof } = useProven()
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (files: { certificate: File; key: File }) =>
      run(async () => {
        await api.fiscal.saveCertificate({
          certificate: await base64Of(files.certificate),
          key: await base64Of(files.key),
          password,
        })
        await client.invalidateQueries({ queryKey: queries.fiscal.key() })
        showAlert('success', 'Certificado guardado.')
        onClose()
      }),
  })
  const failure = save.error ? toFailure(save.error) : null
  const issues = fieldErrors(failure)
  const missing = missingIn({ rfc, certificate, key, password })
  function send(event: FormEvent) {
    event.preventDefault()
    if (certificate && key && !missing) save.mutate({ certificate, key })
  }
  return (
    <Dialog open onClose={save.isPending ? null : onClose} title="Certificado de sello digital">
      {proof}
      <form className="stack gap-16" noValidate autoComplete="off" hidden={proof !== null} onSubmit={send}>
        <p className="muted">Los dos archivos y la contraseña que elegiste al generarlo en el SAT. No es tu e.firma.</p>
        {failure && Object.keys(issues).length === 0 && (
          <Banner tone="danger" live>
            {failure.message}
          </Banner>
        )}
        <FileField
          label="Certificado (.cer)"
          name="certificate"
          accept=".cer"
          error={issues.certificate}
          chosen={certificate}
          onChoose={setCertificate}
        />
        <FileField label="Llave privada (.key)" name="key" accept=".key" error={issues.key} chosen={key} onChoose={setKey} />
        <PasswordField
          label="Contraseña de la llave"
          shows="Mostrar contraseña de la llave"
          autoComplete="off"
          maxLength={200}
          error={issues.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" full loading={save.isPending} reason={missing}>
          Guardar certificado
        </Button>
      </form>
    </Dialog>
  )
}

/** Certificates and their keys have less than 3 kB. */
const LARGEST = 6_000

function missingIn(typed: { rfc: string; certificate: File | null; key: File | null; password: string }): string | null {
  if (!typed.rfc) return 'Primero guarda el RFC del estudio en Impuestos y comprobantes.'
  if (!typed.certificate) return 'Elige el archivo .cer.'
  if (!typed.key) return 'Elige el archivo .key.'
  if (typed.certificate.size > LARGEST || typed.key.size > LARGEST) return 'Uno de los archivos no es del SAT: es demasiado grande.'
  return typed.password === '' ? 'Escribe la contraseña de la llave.' : null
}

async function base64Of(file: File): Promise<string> {
  let binary = ''
  for (const byte of new Uint8Array(await file.arrayBuffer())) binary += String.fromCharCode(byte)
  return btoa(binary)
}
