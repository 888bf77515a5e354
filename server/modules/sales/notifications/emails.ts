/** Emails about purchases. Pure. */
import { formatMoney } from '#contract/money.ts'
import type { Settings } from '#contract/settings.ts'
import { formatInstant } from '#contract/time.ts'
import { type EmailTemplate, renderEmail, type Written } from '#server/adapters/mail/email-template.ts'
import { TRIAL } from '#server/modules/sales/rules.ts'
import type { PurchaseView } from '#server/modules/sales/store/view-store.ts'

/** ", 8 clases"; empty for a purchase without credits (a sign-up fee, a single place). */
const classes = (amount: number) =>
  amount === 0 ? '' : `, ${amount === -1 ? 'clases ilimitadas' : amount === 1 ? '1 clase' : `${amount} clases`}`

/** The receipt of a purchase, of the start of a trial, or of a renewal. */
export function receiptEmail(
  settings: Settings,
  publicUrl: string,
  { purchase, method, attempt }: PurchaseView,
  to: { name: string; period: string; zone: string },
): Written {
  const paidWith = attempt?.instrument.label ?? method
  const order = `Orden #00${purchase.purchase_id}`
  const isRenewal =
    purchase.is_subscription && to.period !== TRIAL && new Date(to.period) > new Date(purchase.createdAt.getTime() + 3_600_000)
  const amount = isRenewal ? (purchase.next_total_centavos ?? purchase.total_centavos) : purchase.total_centavos
  const until = purchase.benefits_until ? formatInstant(purchase.benefits_until, to.zone, 'date') : null
  const paid =
    to.period === TRIAL
      ? `Tu prueba empezó: hoy pagas ${formatMoney(0)}${until ? `. El ${until} se cobran ${formatMoney(purchase.total_centavos)}` : ''}.`
      : amount === 0
        ? 'Sin costo.'
        : `Pagaste ${formatMoney(amount)}${paidWith ? ` con ${paidWith}` : ''}.`
  const letter: EmailTemplate = {
    subject: isRenewal ? `Se renovó ${purchase.title}` : `Tu compra: ${purchase.title}`,
    preview: `${order}. ${paid}`,
    title: isRenewal ? 'Tu suscripción se renovó' : '¡Compra exitosa!',
    paragraphs: [
      `Hola, ${to.name}.`,
      `${order}: ${purchase.title}${classes(purchase.class_amount)}. ${paid}`,
      ...(isRenewal && until ? [`Puedes usarla hasta el ${until}.`] : []),
    ],
    action: { label: 'Ir a Mis Clases', url: `${publicUrl}/mystudio` },
    notes: [`Fecha: ${formatInstant(purchase.createdAt, to.zone, 'class')}.`],
  }
  return renderEmail(settings, publicUrl, letter)
}

/** Says to the customer of a purchase that somebody bought it for them; without its price. */
export function giftEmail(
  settings: Settings,
  publicUrl: string,
  purchase: { title: string; class_amount: number },
  to: { name: string; giver: string },
): Written {
  return renderEmail(settings, publicUrl, {
    subject: `${to.giver} te regaló ${purchase.title}`,
    preview: `Ya está en tu cuenta de ${settings.business_name}.`,
    title: 'Tienes un regalo',
    paragraphs: [
      `Hola, ${to.name}.`,
      `${to.giver} te regaló ${purchase.title}${classes(purchase.class_amount)}. Ya está en tu cuenta: solo reserva.`,
    ],
    action: { label: 'Reservar una clase', url: `${publicUrl}/mystudio` },
    notes: [],
  })
}

/** The link with which a customer pays an order of the counter (S8). */
export function paymentLinkEmail(
  settings: Settings,
  publicUrl: string,
  purchase: { title: string; total_centavos: number },
  to: { name: string; url: string; until: Date; zone: string },
): Written {
  const amount = formatMoney(purchase.total_centavos)
  const until = formatInstant(to.until, to.zone, 'class')
  return renderEmail(settings, publicUrl, {
    subject: `Paga ${purchase.title}`,
    preview: `${amount}. Puedes pagar hasta el ${until}.`,
    title: 'Tu compra te espera',
    paragraphs: [`Hola, ${to.name}.`, `${purchase.title}: ${amount}. Págala en línea desde este enlace, sin iniciar sesión.`],
    action: { label: `Pagar ${amount}`, url: to.url },
    notes: [`El enlace sirve hasta el ${until}.`],
  })
}
