import type { FiscalReceiver } from '#contract/fiscal.ts'
import { cleanRfc, FOREIGN_RFC, hasCheckDigit, isRfc } from '#contract/rfc.ts'
import { REGIMES, type RegimeCode, regimesOf, USES, usesOf } from '#contract/sat-catalogues.ts'
import { Select, TextField } from '#web/ui/field.tsx'

/** The data of an invoice's receiver, as they are typed. */
export interface ReceiverDraft {
  rfc: string
  name: string
  postal_code: string
  regime: RegimeCode | ''
  use: 'G03' | 'S01' | ''
}

export const draftOf = (known: FiscalReceiver | null): ReceiverDraft =>
  known ? { ...known, use: known.use === 'G02' ? '' : known.use } : { rfc: '', name: '', postal_code: '', regime: '', use: '' }

/** What is missing before it can be sent, in a sentence. */
export function missingIn({ rfc, name, regime, use }: ReceiverDraft): string | null {
  if (!isRfc(cleanRfc(rfc))) return 'Escribe el RFC completo.'
  if (name.trim() === '') return 'Escribe el nombre o la razón social.'
  if (regime === '') return 'Elige el régimen fiscal.'
  return use === '' ? 'Elige el uso de la factura.' : null
}

export const toSentReceiver = ({ regime, use, ...draft }: ReceiverDraft) => ({
  ...draft,
  regime: regime || ('616' as const),
  use: use || ('S01' as const),
})

interface ReceiverFieldsProps {
  value: ReceiverDraft
  onChange: (value: ReceiverDraft) => void
  /** sentences of a refusal, by field */
  errors: Readonly<Record<string, string>>
}

/** RFC, name, postal code, regime and use: the regimes and uses follow from what was chosen before. */
export function ReceiverFields({ value, onChange, errors }: ReceiverFieldsProps) {
  const rfc = cleanRfc(value.rfc)
  const isForeign = rfc === FOREIGN_RFC
  const regimes = isForeign ? (['616'] as const) : isRfc(rfc) ? regimesOf(rfc) : []
  const uses = value.regime === '' ? [] : usesOf(value.regime)
  const setRfc = (typed: string) => {
    const next = cleanRfc(typed)
    const fits =
      next === FOREIGN_RFC ? value.regime === '616' : value.regime !== '' && isRfc(next) && regimesOf(next).includes(value.regime)
    onChange({ ...value, rfc: typed, ...(fits ? {} : { regime: '', use: '' }) })
  }
  return (
    <>
      <TextField
        label="RFC"
        value={value.rfc}
        onChange={(event) => setRfc(event.currentTarget.value)}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={20}
        error={errors.rfc}
        hint={isRfc(rfc) && !hasCheckDigit(rfc) ? 'Revísalo: su último carácter no es el que le toca. Si está bien, continúa.' : undefined}
      />
      <TextField
        label="Nombre o razón social"
        value={value.name}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
        autoComplete="off"
        maxLength={300}
        error={errors.name}
        hint="Como está en la constancia de situación fiscal, sin el tipo de sociedad."
      />
      {!isForeign && (
        <TextField
          label="Código postal fiscal"
          value={value.postal_code}
          onChange={(event) => onChange({ ...value, postal_code: event.currentTarget.value })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          error={errors.postal_code}
        />
      )}
      <Select
        label="Régimen fiscal"
        value={value.regime}
        error={errors.regime}
        hint={regimes.length === 0 ? 'Primero escribe el RFC.' : undefined}
        onChange={(event) => {
          const regime = event.currentTarget.value as RegimeCode | ''
          onChange({ ...value, regime, use: regime === '' ? '' : (usesOf(regime)[0] ?? '') })
        }}
      >
        <option value="">Elige</option>
        {regimes.map((code) => (
          <option key={code} value={code}>
            {code} · {REGIMES[code].label}
          </option>
        ))}
      </Select>
      <Select
        label="Uso de la factura"
        value={value.use}
        error={errors.use}
        onChange={(event) => onChange({ ...value, use: event.currentTarget.value as ReceiverDraft['use'] })}
      >
        <option value="">Elige</option>
        {uses.map((code) => (
          <option key={code} value={code}>
            {code} · {USES[code]}
          </option>
        ))}
      </Select>
    </>
  )
}

/** The sentences of a refused receiver, by field. */
export function receiverErrors(issues: readonly { path: string; message: string }[] | undefined): Record<string, string> {
  return Object.fromEntries((issues ?? []).map(({ path, message }) => [path.replace(/^receiver\./, ''), message]))
}
