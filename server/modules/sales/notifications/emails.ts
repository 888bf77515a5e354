/** Emails about purchases. Pure. */
import type { Language } from '#contract/language.ts'
import { formatMoney } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import type { Settings } from '#contract/settings.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { type EmailTemplate, renderEmail, type Written } from '#server/adapters/mail/email-template.ts'
import { TRIAL } from '#server/modules/sales/rules.ts'
import type { PurchaseView } from '#server/modules/sales/store/view-store.ts'
import { titleOfItems, totalOfItems } from '#server/modules/sales/views/order-items.ts'

/** ", 8 clases"; empty for a purchase without credits (a sign-up fee, a single place). */
const classes = (amount: number) =>
  amount === 0 ? '' : `, ${amount === -1 ? 'clases ilimitadas' : amount === 1 ? '1 clase' : `${amount} clases`}`

/** The receipt of a purchase, of the start of a trial, or of a renewal. */
export function receiptEmail(
  settings: Settings,
  publicUrl: string,
  { purchase, method, attempt }: PurchaseView,
  to: {
    name: string
    period: string
    zone: string
    language: Language
    /** The charges that it is for. */
    charges: readonly number[]
  },
): Written {
  const paidWith = attempt?.instrument.label ?? method
  const order = `Orden #00${purchase.purchase_id}`
  const isRenewal =
    purchase.is_subscription && to.period !== TRIAL && new Date(to.period) > new Date(purchase.createdAt.getTime() + 3_600_000)
  const amount = isRenewal ? (purchase.next_total_centavos ?? purchase.total_centavos) : purchase.total_centavos
  // With nothing else, the gift card is what it was paid with.
  const byCard = purchase.gift_card_centavos < amount ? purchase.gift_card_centavos : 0
  const until = purchase.benefits_until ? formatInstant(purchase.benefits_until, to.zone, 'date') : null
  const paid =
    to.period === TRIAL
      ? `Tu prueba empezó: hoy pagas ${formatMoney(0)}${until ? `. El ${until} se cobran ${formatMoney(purchase.total_centavos)}` : ''}.`
      : amount === 0
        ? 'Sin costo.'
        : `Pagaste ${formatMoney(amount - byCard)}${paidWith ? ` con ${paidWith}` : ''}${byCard > 0 ? ` y ${formatMoney(byCard)} con tarjeta de regalo` : ''}.`
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
    ...toInvoice(settings, publicUrl, to.charges),
    notes: [`Fecha: ${formatInstant(purchase.createdAt, to.zone, 'class')}.`],
  }
  return renderEmail(settings, publicUrl, letter, to.language)
}

/** Where the customer invoices what was charged; nothing where they cannot (FA9). */
function toInvoice(
  { self_invoice, self_invoice_until, business_rfc }: Settings,
  publicUrl: string,
  charges: readonly number[],
): Pick<EmailTemplate, 'link'> {
  if (!self_invoice || business_rfc === '' || charges.length === 0) return {}
  // Several charges of one sale are invoiced one by one, from the list.
  const [only] = charges.length === 1 ? charges : []
  const url = `${publicUrl}${paths.mystudio.invoices}${only === undefined ? '' : `?factura=${only}`}`
  return {
    link: { label: `Facturar esta compra, hasta que termine el ${self_invoice_until === 'year' ? 'año' : 'mes'} en que la pagaste`, url },
  }
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
  items: readonly { title: string; quantity: number; total_centavos: number }[],
  to: { name: string; url: string; until: Date; zone: string; charge: number },
): Written {
  const amount = formatMoney(to.charge)
  const byCard = totalOfItems(items) - to.charge
  const until = formatInstant(to.until, to.zone, 'class')
  const [only] = items
  const pieces = (quantity: number) => (quantity > 1 ? `${quantity} × ` : '')
  return renderEmail(settings, publicUrl, {
    subject: `Paga ${titleOfItems(items)}`,
    preview: `${amount}. Puedes pagar hasta el ${until}.`,
    title: 'Tu compra te espera',
    paragraphs: [
      `Hola, ${to.name}.`,
      ...(only && items.length === 1
        ? [
            byCard > 0
              ? `${pieces(only.quantity)}${only.title}: ${formatMoney(only.total_centavos)}.`
              : `${pieces(only.quantity)}${only.title}: ${amount}. Págala en línea desde este enlace, sin iniciar sesión.`,
          ]
        : [
            ...items.map(({ title, quantity, total_centavos }) => `${pieces(quantity)}${title}: ${formatMoney(total_centavos)}`),
            ...(byCard > 0 ? [] : [`En total son ${amount}. Págala en línea desde este enlace, sin iniciar sesión.`]),
          ]),
      ...(byCard > 0
        ? [`Tu tarjeta de regalo paga ${formatMoney(byCard)}; faltan ${amount}. Págalos en línea desde este enlace, sin iniciar sesión.`]
        : []),
    ],
    action: { label: `Pagar ${amount}`, url: to.url },
    notes: [`El enlace sirve hasta el ${until}.`],
  })
}

/** The code of a gift card, to who receives it: with who gave it and the dedication, or (without a giver) to who bought it. */
export function giftCardEmail(
  settings: Settings,
  publicUrl: string,
  card: { amount: number; code: string; name: string; giver: string | null; message: string | null },
): Written {
  const { giver, message } = card
  const amount = formatMoney(card.amount)
  const studio = settings.business_name
  return renderEmail(settings, publicUrl, {
    subject: giver ? `${giver} te regaló ${amount} en ${studio}` : `Tu tarjeta de regalo de ${amount}`,
    preview: `Sirve para pagar en ${studio}.`,
    title: giver ? 'Tienes un regalo' : 'Tu tarjeta de regalo',
    paragraphs: [
      `Hola, ${card.name}.`,
      ...(giver ? [`${giver} te regaló una tarjeta de ${amount} para ${studio}.`] : []),
      ...(message ? [`«${message}»`] : []),
      `${giver ? 'Este es tu código' : `Aquí está el código de tu tarjeta de regalo de ${amount}`}: ${card.code}`,
      `Sirve para pagar en ${studio}, en una o varias compras. Quien tenga el código puede usarla: guárdalo bien.`,
    ],
    action: { label: `Ir a ${studio}`, url: publicUrl },
    notes: [],
  })
}

/** Says to who bought a gift card for somebody else when and where its code is sent; without the code. */
export function giftCardOrderedEmail(
  settings: Settings,
  publicUrl: string,
  card: { amount: number; giver: string; name: string; email: string; on: string | null },
): Written {
  const amount = formatMoney(card.amount)
  const when = card.on ? `el ${formatWall(`${card.on}T12:00:00.000Z`, 'date')}` : 'ahora'
  return renderEmail(settings, publicUrl, {
    subject: `Tu regalo para ${card.name}`,
    preview: `La tarjeta de ${amount} le llega ${when}.`,
    title: 'Tu regalo está listo',
    paragraphs: [`Hola, ${card.giver}.`, `La tarjeta de regalo de ${amount} para ${card.name} se envía ${when} a ${card.email}.`],
    action: { label: 'Ver mis compras', url: `${publicUrl}/mystudio/membresias` },
    notes: [],
  })
}
