/**
 * The template of every mail, in the studio's name and colours, as HTML and as text. Always the light theme: mail programs recolour dark
 * ones unpredictably. Tables and inline styles because mail programs need them.
 */
import { tokens } from '#contract/color.ts'
import { mailInEnglish } from '#contract/english/answers.ts'
import { fileAddress } from '#contract/file-address.ts'
import type { Language } from '#contract/language.ts'
import { filesBase, type Settings } from '#contract/settings.ts'
import { escapeHtml } from '#server/platform/escape.ts'

export interface EmailTemplate {
  subject: string
  /** Shown beside the subject in lists of mails. */
  preview: string
  title: string
  /** Plain text sentences; they are escaped, so user input is safe here. */
  paragraphs: string[]
  action?: { label: string; url: string }
  /** A second, quieter thing to do. */
  link?: { label: string; url: string }
  /** Small print below the action. */
  notes: string[]
  /** The page that stops such mails, linked below everything. */
  unsubscribeUrl?: string
}

export interface Written {
  subject: string
  html: string
  text: string
}

const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim()

const TEXT = "font-family:'Atkinson Hyperlegible Next','Segoe UI',Helvetica,Arial,sans-serif"
const TITLE = "font-family:Archivo,'Segoe UI',Helvetica,Arial,sans-serif"

/** The logo in a form that mail programs load: absolute URL, and not SVG, which most refuse to show. */
function logo(brand: Settings, publicUrl: string): string | null {
  const src = brand.navbar_logo
  if (!src || /\.svg(\?|$)/i.test(src)) return null
  const address = fileAddress(src, filesBase(brand))
  return address.startsWith('/') ? `${publicUrl}${address}` : address
}

/** The colours of a studio's mails. Settings are replaced, never changed, when the owner saves them. */
const coloursOf = new WeakMap<Settings, ReturnType<typeof tokens>>()

function mailColours(brand: Settings): ReturnType<typeof tokens> {
  let colours = coloursOf.get(brand)
  if (!colours) {
    colours = tokens({ ...brand, theme_mode: 'dia' })
    coloursOf.set(brand, colours)
  }
  return colours
}

/** The same mail with the product's own sentences in English. */
const templateInEnglish = ({ action, link, ...template }: EmailTemplate): EmailTemplate => ({
  ...template,
  subject: mailInEnglish(template.subject),
  preview: mailInEnglish(template.preview),
  title: mailInEnglish(template.title),
  paragraphs: template.paragraphs.map(mailInEnglish),
  ...(action ? { action: { ...action, label: mailInEnglish(action.label) } } : {}),
  ...(link ? { link: { ...link, label: mailInEnglish(link.label) } } : {}),
  notes: template.notes.map(mailInEnglish),
})

const PROMOTIONS = 'Recibes este correo porque aceptaste promociones.'
const OTHERWISE = 'Si el botón no abre, copia esta dirección en tu navegador:'

/** Renders a mail in a studio's brand. `spanish`: as it is written; what the product writes is in English in an English mail. */
export function renderEmail(brand: Settings, publicUrl: string, spanish: EmailTemplate, language: Language = 'es-MX'): Written {
  const template = language === 'en' ? templateInEnglish(spanish) : spanish
  const translate = language === 'en' ? mailInEnglish : (text: string) => text
  const colour = mailColours(brand)
  const name = escapeHtml(oneLine(brand.business_name))
  const image = logo(brand, publicUrl)
  const action = template.action && { label: escapeHtml(template.action.label), url: escapeHtml(template.action.url) }
  const link = template.link && { label: escapeHtml(template.link.label), url: escapeHtml(template.link.url) }
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;${TEXT};font-size:16px;line-height:24px;color:${colour.ink}">${escapeHtml(text)}</p>`
  const note = (text: string) =>
    `<p style="margin:0 0 8px;${TEXT};font-size:14px;line-height:20px;color:${colour['ink-2']}">${escapeHtml(text)}</p>`
  const header = image
    ? `<img src="${escapeHtml(image)}" alt="${name}" height="36" style="display:block;height:36px;width:auto;border:0">`
    : `<span style="${TITLE};font-size:22px;line-height:28px;font-weight:700;color:${colour['brand-ink']}">${name}</span>`
  const unsubscribe = template.unsubscribeUrl && escapeHtml(template.unsubscribeUrl)
  const contact = [brand.email, brand.location].map(oneLine).filter(Boolean)

  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<meta name="supported-color-schemes" content="light">
<title>${escapeHtml(oneLine(template.subject))}</title>
</head>
<body style="margin:0;padding:0;background:${colour.canvas}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(template.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${colour.canvas}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 20px">${header}</td></tr>
<tr><td style="background:${colour.paper};border:1px solid ${colour.line};border-radius:${colour['radius-card']};padding:32px 28px 24px">
<h1 style="margin:0 0 16px;${TITLE};font-size:27px;line-height:32px;font-weight:700;color:${colour.ink}">${escapeHtml(template.title)}</h1>
${template.paragraphs.map(paragraph).join('\n')}
${
  action
    ? `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 20px"><tr><td bgcolor="${colour.brand}" style="border-radius:${colour['radius-control']}">
<a href="${action.url}" style="display:inline-block;padding:14px 26px;${TEXT};font-size:16px;line-height:20px;font-weight:700;color:${colour['on-brand']};text-decoration:none">${action.label}</a>
</td></tr></table>
<p style="margin:0 0 16px;${TEXT};font-size:14px;line-height:20px;color:${colour['ink-2']}">${translate(OTHERWISE)}<br><a href="${action.url}" style="color:${colour['brand-ink']};word-break:break-all">${action.url}</a></p>`
    : ''
}
${
  link
    ? `<p style="margin:0 0 16px;${TEXT};font-size:16px;line-height:24px"><a href="${link.url}" style="color:${colour['brand-ink']}">${link.label}</a></p>\n`
    : ''
}${template.notes.map(note).join('\n')}
</td></tr>
<tr><td style="padding:20px 4px 0;${TEXT};font-size:14px;line-height:20px;color:${colour['ink-2']}">${[name, ...contact.map(escapeHtml)].join(' · ')}${
    unsubscribe
      ? `<br>${translate(PROMOTIONS)} <a href="${unsubscribe}" style="color:${colour['brand-ink']}">${translate('Dejar de recibirlas')}</a>`
      : ''
  }</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  const text = [
    template.title,
    ...template.paragraphs,
    ...(template.action ? [`${template.action.label}:\n${template.action.url}`] : []),
    ...(template.link ? [`${template.link.label}:\n${template.link.url}`] : []),
    ...template.notes,
    ...(template.unsubscribeUrl ? [`${translate(PROMOTIONS)} ${translate('Para dejar de recibirlas:')}\n${template.unsubscribeUrl}`] : []),
    `-- \n${[oneLine(brand.business_name), ...contact].join('\n')}`,
  ].join('\n\n')
  return { subject: oneLine(template.subject), html, text: `${text}\n` }
}
