import './whatsapp-button.css'
import { IconBrandWhatsapp } from '@tabler/icons-react'
import { whatsappLink } from '#contract/phone.ts'
import { useSite } from '#web/lib/settings.tsx'

/** The floating button to the studio's number (S1-2.53). */
export function WhatsappButton() {
  const { whatsapp, whatsapp_widget } = useSite()
  if (!whatsapp_widget || !whatsapp) return null
  return (
    <aside aria-label="Contacto directo">
      <a
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
