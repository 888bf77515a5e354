import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import './wallet-button.css'

/** Whether this is a device with Apple Wallet, or one that hands passes to it. */
const isApple = (): boolean => /iPhone|iPad|iPod|Macintosh/.test(navigator.userAgent)

interface WalletButtonProps {
  /** the reservation; without it the customer's next one, which is then named */
  reservation?: number
}

/** Adds a reservation to the wallet of this device, where the studio has keys for it; nothing otherwise. */
export default function WalletButton({ reservation }: WalletButtonProps): ReactNode {
  const { data } = useQuery(
    queries.walletPasses.mine.queryOptions({
      input: reservation === undefined ? {} : { class_reservation_id: reservation },
      staleTime: 0,
      meta: { handled: true },
    }),
  )
  const pass = data?.pass
  if (!pass) return null
  const wallet = isApple() && pass.apple_url ? 'apple' : 'google'
  const url = wallet === 'apple' ? pass.apple_url : pass.google_url
  if (!url) return null
  return (
    <div className="wallet-pass">
      {reservation === undefined && (
        <p className="small">
          Tu próxima clase: {pass.class_type}, {formatWall(pass.class_date, 'class')}
        </p>
      )}
      <a className="wallet-button" href={url} {...(wallet === 'google' ? { target: '_blank', rel: 'noopener' } : {})}>
        <WalletDrawing wallet={wallet} />
        <span>{wallet === 'apple' ? 'Agregar a Apple Wallet' : 'Agregar a la Billetera de Google'}</span>
      </a>
    </div>
  )
}

/** Cards in a wallet, in the colours of each. */
function WalletDrawing({ wallet }: { wallet: 'apple' | 'google' }) {
  const [first, second, third] = wallet === 'apple' ? ['#4aa3df', '#f2b632', '#5bb974'] : ['#34a853', '#fbbc04', '#ea4335']
  return (
    <svg viewBox="0 0 32 26" width="32" height="26" aria-hidden="true">
      <rect x="1" y="1" width="30" height="24" rx="4" fill="#f4f4f2" />
      <path d="M3 7a2 2 0 0 1 2-2h22a2 2 0 0 1 2 2v9H3z" fill={first} />
      <path d="M3 10.500a2 2 0 0 1 2-2h22a2 2 0 0 1 2 2v9H3z" fill={second} />
      <path d="M3 14a2 2 0 0 1 2-2h22a2 2 0 0 1 2 2v7H3z" fill={third} />
      <path
        d="M1 16h9c1.500 0 2 .8 2.600 1.800.7 1.200 1.800 2 3.400 2s2.700-.8 3.400-2C20 16.800 20.500 16 22 16h9v5a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4z"
        fill="#f4f4f2"
      />
    </svg>
  )
}
