import { IconChevronDown } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { browserQueries } from '#web/lib/api.ts'
import { useCustomerQuery } from '#web/lib/customer.tsx'
import { useResumedSession } from '#web/lib/resumed-session.ts'
import { endSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'

const chevron = <IconChevronDown className="icon" aria-hidden="true" />

/** The account menu of a public page, loaded when its button is used. After 'Salir' the page stays, as a visitor's. */
export default function SiteAccountMenu({ label, buttonClass }: { label: string; buttonClass: string }) {
  const session = useResumedSession(useSite().firebaseConfig)
  // The customer is asked for as who is signed in.
  if (session.state === 'starting')
    return (
      <IconButton bare label={label} aria-haspopup="menu" aria-expanded={false} aria-busy>
        {chevron}
      </IconButton>
    )
  return (
    <QueryClientProvider client={browserQueries()}>
      <Opened label={label} buttonClass={buttonClass} />
    </QueryClientProvider>
  )
}

function Opened(button: { label: string; buttonClass: string }) {
  const me = useCustomerQuery()
  return <AccountMenu {...button} startsOpen button={chevron} isStaff={Boolean(me.data?.customer.role)} onLeave={() => void endSession()} />
}
