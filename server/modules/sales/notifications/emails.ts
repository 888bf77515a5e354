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

/** "Reformer, 8 clases"; the title alone for a purchase without credits (a sign-up fee, a single place). */
function withClasses({ title, class_amount }: { title: string; class_amount: number }): string {
  if (class_amount === 0) return title
  if (class_amount === -1) return `${title}, clases ilimitadas`
  return class_amount === 1 ? `${title}, 1 clase` : `${title}, ${class_amount} clases`
}

/** How much was paid, with what, and how much of it by gift card; as whole sentences, so that each has its English. */
function paidSentence(paid: string, method: string | null, byCard: string | null): string {
  if (byCard)
    return method
      ? `Pagaste ${paid} con ${method} y ${byCard} con tarjeta de regalo.`
      : `Pagaste ${paid} y ${byCard} con tarjeta de regalo.`
  return method ? `Pagaste ${paid} con ${method}.` : `Pagaste ${paid}.`
}

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
  const isRenewal =
    purchase.is_subscription && to.period !== TRIAL && new Date(to.period) > new Date(purchase.createdAt.getTime() + 3_600_000)
  const amount = isRenewal ? (purchase.next_total_centavos ?? purchase.total_centavos) : purchase.total_centavos
  // With nothing else, the gift card is what it was paid with.
  const byCard = purchase.gift_card_centavos < amount ? purchase.gift_card_centavos : 0
  const until = purchase.benefits_until ? formatInstant(purchase.benefits_until, to.zone, 'date') : null
  const paid =
    to.period === TRIAL
      ? until
        ? `Tu prueba empezó: hoy pagas ${formatMoney(0)}. El ${until} se cobran ${formatMoney(purchase.total_centavos)}.`
        : `Tu prueba empezó: hoy pagas ${formatMoney(0)}.`
      : amount === 0
        ? 'Sin costo.'
        : paidSentence(formatMoney(amount - byCard), paidWith, byCard > 0 ? formatMoney(byCard) : null)
  const email: EmailTemplate = {
    subject: isRenewal ? `Se renovó ${purchase.title}` : `Tu compra: ${purchase.title}`,
    preview: `Orden #00${purchase.purchase_id}. ${paid}`,
    title: isRenewal ? 'Tu suscripción se renovó' : '¡Compra exitosa!',
    paragraphs: [
      `Hola, ${to.name}.`,
      `Orden #00${purchase.purchase_id}: ${withClasses(purchase)}. ${paid}`,
      ...(isRenewal && until ? [`Puedes usarla hasta el ${until}.`] : []),
    ],
    action: { label: 'Ir a Mis Clases', url: `${publicUrl}/mystudio` },
    ...toInvoice(settings, publicUrl, to.charges),
    notes: [`Fecha: ${formatInstant(purchase.createdAt, to.zone, 'class')}.`],
  }
  return renderEmail(settings, publicUrl, email, to.language)
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
  const url = `${publicUrl}${only === undefined ? paths.mystudio.toInvoice : `${paths.mystudio.toInvoice}&factura=${only}`}`
  return {
    link: {
      label:
        self_invoice_until === 'year'
          ? 'Facturar esta compra, hasta que termine el año en que la pagaste'
          : 'Facturar esta compra, hasta que termine el mes en que la pagaste',
      url,
    },
  }
}

/** Tells the recipient of a gift purchase who bought it, without its price. */
export function giftEmail(
  settings: Settings,
  publicUrl: string,
  purchase: { title: string; class_amount: number },
  to: { name: string; giver: string; language: Language },
): Written {
  const email: EmailTemplate = {
    subject: `${to.giver} te regaló ${purchase.title}`,
    preview: `Ya está en tu cuenta de ${settings.business_name}.`,
    title: 'Tienes un regalo',
    paragraphs: [`Hola, ${to.name}.`, `${to.giver} te regaló ${withClasses(purchase)}. Ya está en tu cuenta: solo reserva.`],
    action: { label: 'Reservar una clase', url: `${publicUrl}/mystudio` },
    notes: [],
  }
  return renderEmail(settings, publicUrl, email, to.language)
}

/** The link with which a customer pays an order of the counter (S8). */
export function paymentLinkEmail(
  settings: Settings,
  publicUrl: string,
  items: readonly { title: string; quantity: number; total_centavos: number }[],
  to: { name: string; url: string; until: Date; zone: string; charge: number; language: Language },
): Written {
  const amount = formatMoney(to.charge)
  const byCard = totalOfItems(items) - to.charge
  const until = formatInstant(to.until, to.zone, 'class')
  const [only] = items
  const piecesOf = ({ title, quantity }: { title: string; quantity: number }) => (quantity > 1 ? `${quantity} × ${title}` : title)
  const email: EmailTemplate = {
    subject: `Paga ${titleOfItems(items)}`,
    preview: `${amount}. Puedes pagar hasta el ${until}.`,
    title: 'Tu compra te espera',
    paragraphs: [
      `Hola, ${to.name}.`,
      ...(only && items.length === 1
        ? [
            byCard > 0
              ? `${piecesOf(only)}: ${formatMoney(only.total_centavos)}.`
              : `${piecesOf(only)}: ${amount}. Págala en línea desde este enlace, sin iniciar sesión.`,
          ]
        : [
            ...items.map((item) => `${piecesOf(item)}: ${formatMoney(item.total_centavos)}`),
            ...(byCard > 0 ? [] : [`En total son ${amount}. Págala en línea desde este enlace, sin iniciar sesión.`]),
          ]),
      ...(byCard > 0
        ? [`Tu tarjeta de regalo paga ${formatMoney(byCard)}; faltan ${amount}. Págalos en línea desde este enlace, sin iniciar sesión.`]
        : []),
    ],
    action: { label: `Pagar ${amount}`, url: to.url },
    notes: [`El enlace sirve hasta el ${until}.`],
  }
  return renderEmail(settings, publicUrl, email, to.language)
}

/** The code of a gift card: to its recipient, with the giver and the dedication, or (without a giver) to the buyer. */
export function giftCardEmail(
  settings: Settings,
  publicUrl: string,
  card: { amount: number; code: string; name: string; giver: string | null; message: string | null },
  language: Language,
): Written {
  const { giver, message } = card
  const amount = formatMoney(card.amount)
  const studio = settings.business_name
  const email: EmailTemplate = {
    subject: giver ? `${giver} te regaló una tarjeta de ${amount} en ${studio}` : `Tu tarjeta de regalo de ${amount}`,
    preview: `Sirve para pagar en ${studio}.`,
    title: giver ? 'Tienes un regalo' : 'Tu tarjeta de regalo',
    paragraphs: [
      `Hola, ${card.name}.`,
      ...(giver ? [`${giver} te regaló una tarjeta de ${amount} para ${studio}.`] : []),
      ...(message ? [`«${message}»`] : []),
      giver ? `Este es tu código: ${card.code}` : `Aquí está el código de tu tarjeta de regalo de ${amount}: ${card.code}`,
      `Sirve para pagar en ${studio}, en una o varias compras. Quien tenga el código puede usarla: guárdalo bien.`,
    ],
    action: { label: `Ir a ${studio}`, url: publicUrl },
    notes: [],
  }
  return renderEmail(settings, publicUrl, email, language)
}

/** Confirms to the buyer of a gift card for another person when and where its code is sent; without the code. */
export function giftCardOrderedEmail(
  settings: Settings,
  publicUrl: string,
  card: { amount: number; giver: string; name: string; email: string; on: string | null },
  language: Language,
): Written {
  const amount = formatMoney(card.amount)
  const day = card.on && formatWall(`${card.on}T12:00:00.000Z`, 'date')
  const email: EmailTemplate = {
    subject: `Tu regalo para ${card.name}`,
    preview: day ? `La tarjeta de ${amount} le llega el ${day}.` : `La tarjeta de ${amount} le llega ahora.`,
    title: 'Tu regalo está listo',
    paragraphs: [
      `Hola, ${card.giver}.`,
      day
        ? `La tarjeta de regalo de ${amount} para ${card.name} se envía el ${day} a ${card.email}.`
        : `La tarjeta de regalo de ${amount} para ${card.name} se envía ahora a ${card.email}.`,
    ],
    action: { label: 'Ver mis compras', url: `${publicUrl}/mystudio/membresias` },
    notes: [],
  }
  return renderEmail(settings, publicUrl, email, language)
}
