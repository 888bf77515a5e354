import './whatsapp-button.css'
import { IconBrandWhatsapp } from '@tabler/icons-react'
import { useRef } from 'react'
import { whatsappLink } from '#contract/phone.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useClearSlot } from './clear-slot.ts'

/** The floating button to the studio's WhatsApp number, placed where it covers nothing (S1-2.53). The footer always has the same link. */
export function WhatsappButton() {
  const { whatsapp, whatsapp_widget } = useSite()
  const link = useRef<HTMLAnchorElement>(null)
  useClearSlot(link)
  if (!whatsapp_widget || !whatsapp) return null
  return (
    <aside aria-label="Contacto directo">
      <a
        ref={link}
        className="whatsapp-button"
        href={whatsappLink(whatsapp, 'widget')}
        target="_blank"
        rel="noopener"
        aria-label="Escríbenos por WhatsApp"
      >
        <IconBrandWhatsapp aria-hidden="true" size={28} stroke={1.75} />
      </a>
    </aside>
  )
}
