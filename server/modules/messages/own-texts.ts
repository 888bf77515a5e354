/** The words of a message as its receiver reads them: the studio's own, or the product's in the receiver's language. */
import { type Channel, isAutomatic, type MessageEvent } from '#contract/channels.ts'
import { languageFor } from '#contract/language.ts'
import { renderEmail, type Written } from '#server/adapters/mail/email-template.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { textsInEnglish } from './language.ts'
import type { KnownPerson } from './store.ts'
import type { MessageTexts } from './tables.ts'
import { withOwnTemplate, withOwnText } from './template-rules.ts'
import { listLiveTemplates, listOwnTexts } from './template-store.ts'

/**
 * Replaces the words of messages to customers by the studio's own texts, where it has any (M11); otherwise by the product's in the
 * customer's language (G13). WhatsApp approves its texts in Spanish.
 */
export async function loadOwnTexts(tx: Reader, { settings }: Ctx, events: readonly MessageEvent[]) {
  const [ownTexts, live] = events.length ? await Promise.all([listOwnTexts(tx, events), listLiveTemplates(tx, events)]) : [[], []]
  return (event: MessageEvent, channel: Channel, texts: MessageTexts, person?: Pick<KnownPerson, 'language'>): MessageTexts => {
    const { business_name } = settings
    if (!isAutomatic(event)) return texts
    if (channel === 'whatsapp') {
      const template = live.find((row) => row.event === event)
      return template ? withOwnTemplate(event, texts, template, business_name) : texts
    }
    const own = ownTexts.find((row) => row.event === event && row.channel === channel)
    if (own && (own.subject !== null || own.text !== null)) return withOwnText(event, channel, texts, own, business_name)
    return languageFor(person?.language, settings) === 'en' ? textsInEnglish(texts) : texts
  }
}

/** The email of a message, as it is sent. */
export const renderOwnEmail = ({ settings, studio: { publicUrl } }: Ctx, name: string, texts: MessageTexts): Written =>
  renderEmail(
    settings,
    publicUrl,
    {
      subject: texts.subject ?? texts.title,
      preview: texts.lines[0] ?? texts.title,
      title: texts.title,
      paragraphs: texts.replaced ? texts.lines : [`Hola, ${name}.`, ...texts.lines],
      ...(texts.action ? { action: { label: texts.action.label, url: `${publicUrl}${texts.action.path}` } } : {}),
      notes: texts.notes,
      ...(texts.unsubscribe ? { unsubscribeUrl: `${publicUrl}${texts.unsubscribe}` } : {}),
    },
    texts.language,
  )
