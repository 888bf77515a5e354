import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#contract/time.ts'
import { WALLET_KEYS, WALLET_NAMES, type WalletId, type WalletState } from '#contract/wallet-passes.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { KeysDialog } from './keys-dialog.tsx'

const STATES: Readonly<Record<WalletState['state'], { text: string; tone: BadgeTone }>> = {
  ready: { text: 'Lista', tone: 'ok' },
  partial: { text: 'Faltan llaves', tone: 'warn' },
  missing: { text: 'Sin configurar', tone: 'outline' },
  invalid: { text: 'Una llave no sirve', tone: 'danger' },
  expired: { text: 'Certificado vencido', tone: 'danger' },
}

const ABOUT: Readonly<Record<WalletId, string>> = {
  apple: 'Crea un Pass Type ID en tu cuenta de desarrollador de Apple y pega aquí su certificado y su llave en formato PEM.',
  google: 'Pide acceso en la consola de Google Wallet, y crea ahí la cuenta de servicio.',
}

/** The wallets of phones that a reservation can be added to: what each has and lacks. */
export default function WalletCards() {
  const query = useQuery(queries.walletPasses.list.queryOptions({ meta: { handled: true } }))
  if (query.isError) return <PartNotLoaded query={query}>No pudimos leer el estado de las billeteras.</PartNotLoaded>
  if (!query.data) return <Skeleton height="180px" />
  return (
    <div className="processors">
      <h3 className="strong">Billetera del teléfono</h3>
      <p className="small muted">
        Con tus llaves, quien reserva agrega su código de acceso a la billetera de su teléfono. Las llaves se guardan cifradas y no se
        vuelven a mostrar. Las que pone el servidor ganan.
      </p>
      <ul>
        {query.data.wallets.map((state) => (
          <WalletCard key={state.wallet} state={state} />
        ))}
      </ul>
    </div>
  )
}

function WalletCard({ state: { wallet, state, problem, identifier, valid_until, keys } }: { state: WalletState }) {
  const { zone } = useSite()
  const client = useQueryClient()
  const [isTyping, setIsTyping] = useState(false)
  const name = WALLET_NAMES[wallet]
  const mayType = may(useStaff(), 'settings.code') && keys.some(({ source }) => source !== 'environment')
  const long: Readonly<Record<string, { isLong: boolean }>> = WALLET_KEYS[wallet]
  const lacking = state === 'partial' ? keys.filter(({ source }) => source === null) : []
  return (
    <li className="processor">
      <div className="processor-head">
        <h4 className="strong">{name}</h4>
        <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
      </div>
      {identifier && (
        <p className="small setting-value">
          {identifier}
          {valid_until && `, hasta el ${formatInstant(new Date(valid_until), zone, 'date')}`}
        </p>
      )}
      {problem && <p className="small">{problem}</p>}
      {lacking.length > 0 && <p className="small muted">Falta: {lacking.map(({ label }) => label).join(', ')}</p>}
      {mayType && (
        <Button variant="outline" size="small" aria-haspopup="dialog" onClick={() => setIsTyping(true)}>
          {state === 'missing' ? 'Poner llaves' : 'Cambiar llaves'}
          <span className="sr-only"> de {name}</span>
        </Button>
      )}
      {isTyping && (
        <KeysDialog
          name={name}
          keys={keys}
          about={ABOUT[wallet]}
          isLong={(key) => long[key]?.isLong === true}
          onClose={() => setIsTyping(false)}
          save={async (values) => {
            await api.walletPasses.saveKeys({ wallet, keys: values })
            await client.invalidateQueries({ queryKey: queries.walletPasses.key() })
          }}
        />
      )}
    </li>
  )
}
