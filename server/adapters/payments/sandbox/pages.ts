/** The sandbox processor's pages as HTML: Spanish, without the studio's assets, and always marked as a test. Pure. */
import { themeCss } from '#contract/color.ts'
import { formatMoney } from '#contract/money.ts'
import type { Settings } from '#contract/settings.ts'
import { formatInstant } from '#contract/time.ts'
import { escapeHtml } from '#server/platform/escape.ts'
import { BEHAVIOURS, TEST_NUMBERS } from './cards.ts'

interface Page {
  title: string
  body: string
  /** Scripts of this folder, by name. */
  scripts?: string[]
  /** `data-` attributes of the body. */
  data?: Record<string, string>
  /** Inside a frame of the studio's page: no margins, no background. `framed`: a small sheet under a title of that page. */
  theme?: 'whole' | 'bare' | 'framed'
}

export function pageHtml({ title, body, scripts = [], data = {}, theme = 'whole' }: Page): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  return `<!doctype html>
<html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/sandbox/estilo.css"></head>
<body class="${theme}"${attributes.join('')}>${body}
${scripts.map((name) => `<script type="module" src="/sandbox/${name}.js"></script>`).join('')}</body></html>`
}

const testMark = '<p class="test">Modo de prueba <span>· aquí no se cobra dinero de verdad</span></p>'

/** A complete page: a centred card with the mark of a test. */
function sheet(title: string, inner: string, extra: Pick<Page, 'scripts' | 'data' | 'theme'> = {}): string {
  // A framed page must not add a second main landmark.
  const tag = extra.theme === 'framed' ? 'div' : 'main'
  return pageHtml({ title, body: `<${tag} class="sheet">${testMark}<h1>${escapeHtml(title)}</h1>${inner}</${tag}>`, ...extra })
}

export interface PageFacts {
  business: string
  title: string
  amount: number
  method: string | null
}

const summary = ({ business, title, amount, method }: PageFacts) =>
  `<dl><div><dt>Comercio</dt><dd>${escapeHtml(business)}</dd></div><div><dt>Concepto</dt><dd>${escapeHtml(title)}</dd></div>${
    method ? `<div><dt>Tarjeta</dt><dd>${escapeHtml(method)}</dd></div>` : ''
  }<div class="total"><dt>Total</dt><dd>${formatMoney(amount)}</dd></div></dl>`

const fieldHtml = (id: string, label: string, attributes: string, after = '') =>
  `<div class="field"><label for="${id}">${label}</label><div class="control"><input id="${id}" ${attributes} aria-describedby="${id}-error">${after}</div><p class="error" id="${id}-error" role="alert" hidden></p></div>`

/** The card fields, for a frame (S1-5.13 to S1-5.17). Inputs have no `name`: there is nothing to submit. */
export function cardFieldsPage(parent: string): string {
  const cards = TEST_NUMBERS.map(({ groups, behaviour }) => ({ number: groups.join(''), behaviour }))
  const list = TEST_NUMBERS.map(
    ({ groups, behaviour }) =>
      `<li><button type="button" data-numero="${groups.join(' ')}"><span class="pan">${groups.join(' ')}</span><span>${BEHAVIOURS[behaviour].label}</span></button></li>`,
  )
  const help =
    '<button type="button" class="help" id="ayuda" aria-expanded="false" aria-controls="cvv-ayuda" aria-label="Qué es el CVV"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 12a9 9 0 1 0 18 0a9 9 0 0 0-18 0"/><path d="M12 16v.01"/><path d="M12 13a2 2 0 0 0 .914-3.782a1.98 1.98 0 0 0-2.414.483"/></svg></button>'
  const body = `<div><h1 class="heard">Datos de la tarjeta</h1><form id="tarjeta" class="fields" novalidate>
${fieldHtml('numero', 'Número de tarjeta', 'inputmode="numeric" autocomplete="cc-number" placeholder="0000 0000 0000 0000"', '<span id="marcas" class="brands" role="img" aria-label="Visa, Mastercard y American Express"><span class="brand" data-marca="visa"></span><span class="brand" data-marca="mastercard"></span><span class="brand" data-marca="amex"></span></span><span id="marca" class="brand" role="img" aria-label="" hidden></span>')}
${fieldHtml('nombre', 'Nombre en la tarjeta', 'autocomplete="cc-name" maxlength="80"')}
<div class="pair">${fieldHtml('vencimiento', 'Vencimiento', 'inputmode="numeric" autocomplete="cc-exp" placeholder="MM/AAAA" maxlength="7"')}
${fieldHtml('cvv', 'CVV', 'inputmode="numeric" autocomplete="cc-csc" placeholder="3 dígitos" maxlength="3"', help)}</div>
<p class="hint" id="cvv-ayuda" hidden>Son los 3 dígitos al reverso de tu tarjeta; en American Express, los 4 del frente.</p>
<details><summary>Modo de prueba: ver tarjetas de prueba</summary><ul class="cards">${list.join('')}</ul></details></form></div>`
  return pageHtml({
    title: 'Datos de la tarjeta',
    body,
    theme: 'bare',
    scripts: ['card-fields'],
    data: { padre: parent, tarjetas: JSON.stringify(cards) },
  })
}

/** The bank's challenge (3-D Secure). */
export function challengePage(shown: PageFacts, secret: string, parent: string): string {
  return sheet(
    'Confirma tu compra',
    `${summary(shown)}<p>Tu banco quiere saber si eres tú quien paga.</p>
<form method="post" action="/sandbox/3ds"><input type="hidden" name="secreto" value="${escapeHtml(secret)}"><input type="hidden" name="padre" value="${escapeHtml(parent)}">
<div class="buttons"><button class="main" name="respuesta" value="si">Autorizar</button><button name="respuesta" value="no">Rechazar</button></div></form>`,
    { theme: parent ? 'framed' : 'whole', scripts: ['challenge'], data: { padre: parent } },
  )
}

/** After the bank's challenge: notifies the studio's page; without one it shows a link back. */
export function answeredPage(outcome: { done: boolean; message: string | null }, parent: string, back: string): string {
  return sheet(
    outcome.done ? 'Listo' : 'No se autorizó',
    `<p role="status">${outcome.done ? 'Tu banco confirmó la compra.' : escapeHtml(outcome.message ?? 'No autorizaste la compra.')}</p><p><a href="${escapeHtml(back)}" target="_top">Volver al estudio</a></p>`,
    {
      theme: parent ? 'framed' : 'whole',
      scripts: ['answered'],
      data: { padre: parent, resultado: outcome.done ? 'done' : 'failed', ...(outcome.message ? { mensaje: outcome.message } : {}) },
    },
  )
}

/** The processor's hosted payment page. */
export function hostedPage(id: string, shown: PageFacts, origin: string, back: string, refused: string | null): string {
  return sheet(
    'Paga con tarjeta',
    `${summary(shown)}${refused ? `<p class="error" role="alert">${escapeHtml(refused)}</p>` : ''}
<iframe title="Datos de la tarjeta" src="/sandbox/tarjeta?padre=${encodeURIComponent(origin)}" height="292"></iframe>
<form method="post" action="/sandbox/pagar/${escapeHtml(id)}"><input type="hidden" name="token"><div class="buttons"><button class="main">Pagar ${formatMoney(shown.amount)}</button></div></form>
<p><a href="${escapeHtml(back)}">Volver al estudio</a></p>`,
    { scripts: ['hosted'] },
  )
}

/** The wallet's page, where its owner approves or refuses. */
export function walletPage(id: string, shown: PageFacts): string {
  return sheet(
    'Paga con tu billetera',
    `${summary(shown)}<form method="post" action="/sandbox/billetera/${escapeHtml(id)}"><div class="buttons"><button class="main" name="respuesta" value="si">Pagar ahora</button><button name="respuesta" value="no">Cancelar</button></div></form>`,
  )
}

/** A voucher to pay at a shop or by transfer; its button simulates the clerk. */
export function voucherPage(
  id: string,
  shown: PageFacts,
  voucher: { kind: string; reference: string; clabe: string | null; expiresAt: Date },
  zone: string,
): string {
  const where = voucher.kind === 'spei' ? 'Haz una transferencia SPEI desde tu banco.' : 'Paga en cualquier tienda OXXO y guarda tu recibo.'
  return sheet(
    voucher.kind === 'spei' ? 'Paga por transferencia' : 'Paga en OXXO',
    `${summary(shown)}<p>${where}</p><dl>${voucher.clabe ? `<div><dt>CLABE</dt><dd class="pan">${escapeHtml(voucher.clabe)}</dd></div>` : ''}<div><dt>Referencia</dt><dd class="pan">${escapeHtml(voucher.reference)}</dd></div>
<div><dt>Paga antes del</dt><dd>${formatInstant(voucher.expiresAt, zone, 'class')}</dd></div></dl>
<form method="post" action="/sandbox/voucher/${escapeHtml(id)}"><div class="buttons"><button>Simular el pago</button></div></form>`,
  )
}

/** Page for a payment that is over or does not exist. */
export function endedPage(title: string, text: string, back: string | null): string {
  return sheet(title, `<p role="status">${escapeHtml(text)}</p>${back ? `<p><a href="${escapeHtml(back)}">Volver al estudio</a></p>` : ''}`)
}

/** The style sheet of all pages, in the studio's colours and shapes. */
export function styleCss(settings: Settings): string {
  return `@font-face{font-family:Archivo;src:url(/sandbox/archivo.woff2) format("woff2");font-weight:100 900;font-stretch:62% 125%;font-display:swap}
@font-face{font-family:"Atkinson Hyperlegible Next";src:url(/sandbox/atkinson.woff2) format("woff2");font-weight:200 800;font-display:swap}
@font-face{font-family:Cifras;src:url(/sandbox/archivo.woff2) format("woff2");font-weight:100 900;font-stretch:62% 125%;font-display:swap;unicode-range:U+24,U+30-39}
${themeCss(settings)}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%}
body{color:var(--ink);font:400 16px/1.5 Cifras,"Atkinson Hyperlegible Next",system-ui,sans-serif;font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased}
[hidden]{display:none!important}
.bare{padding:6px;background:transparent}
.whole{min-height:100vh;padding:20px;background:var(--canvas);display:grid;place-items:start center}
.sheet{width:100%;max-width:480px;display:grid;gap:16px;padding:24px;border:1px solid var(--line);border-radius:var(--radius-card);background:var(--paper)}
h1{font:660 25px/1.1 Archivo,sans-serif;letter-spacing:-.01em}
.framed .sheet{max-width:none;padding:6px;gap:12px;border:0;background:transparent}
.heard,.framed h1{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.framed dl div{padding:6px 0}
.framed .test span{display:none}
.framed .buttons button{flex-basis:120px}
.test{justify-self:start;padding:4px 12px;border-radius:999px;background:var(--accent-soft);color:var(--ink);font-size:14px;font-weight:600}
.test span{font-weight:400}
dl{display:grid;border-top:1px solid var(--line)}
dl div{display:flex;justify-content:space-between;gap:16px;padding:10px 0;border-bottom:1px solid var(--line)}
dt{color:var(--ink-2)}dd{text-align:right;font-weight:600;overflow-wrap:anywhere}.total dd{font-size:20px}
a{color:var(--brand-ink);font-weight:600;display:inline-block;padding:10px 0}
.buttons{display:flex;flex-wrap:wrap;gap:12px}
.buttons button{flex:1 1 160px;min-height:48px;padding:10px 24px;border:1.5px solid var(--line-3);border-radius:var(--radius-control);background:transparent;color:var(--ink);font:inherit;font-weight:640;cursor:pointer}
.buttons .main{border-color:transparent;background:var(--brand);color:var(--on-brand)}
.buttons button:disabled{background:var(--sunk);color:var(--ink-2);cursor:default}
:focus-visible{outline:3px solid var(--brand-ink);outline-offset:2px}
iframe{display:block;width:calc(100% + 12px);margin:-6px;border:0}
.fields{display:grid;gap:16px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px;align-items:start}
@media(max-width:270px){.pair{grid-template-columns:1fr}}
.field{display:grid;gap:6px;min-width:0}
label{font-size:14px;font-weight:600;line-height:1.5}
.control{display:flex;align-items:center;gap:10px;min-height:48px;padding-inline:16px;border:1.5px solid var(--line-3);border-radius:var(--radius-input);background:var(--paper);color:var(--ink);transition:border-color 120ms,box-shadow 120ms}
.control:focus-within{border-color:var(--brand-ink);box-shadow:0 0 0 3px color-mix(in srgb,var(--brand) 26%,transparent)}
.control:has([aria-invalid=true]){border-color:var(--danger)}
.control input{flex:1;width:100%;min-width:0;min-height:45px;padding:10px 0;border:0;outline:0;background:transparent;color:inherit;font:inherit}
.control ::placeholder{color:var(--ink-2);opacity:1}
.brands{display:flex;flex:none;gap:4px}.brands[hidden]{display:none}.brands .brand{width:34px;height:24px;background-size:24px}
.brand{flex:none;width:44px;height:30px;border:1px solid var(--line-2);border-radius:6px;background:#fff center/28px no-repeat}
.brand[data-marca=visa]{background-image:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 18'%3E%3Ctext x='14' y='13.5' font-family='Arial' font-size='11.5' font-weight='800' font-style='italic' text-anchor='middle' fill='%231a1f9c'%3EVISA%3C/text%3E%3C/svg%3E")}
.brand[data-marca=mastercard]{background-image:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 18'%3E%3Ccircle cx='10.5' cy='9' r='7.5' fill='%23E23B2E'/%3E%3Ccircle cx='17.5' cy='9' r='7.5' fill='%23F4A12A' fill-opacity='.9'/%3E%3C/svg%3E")}
.brand[data-marca=amex]{background-image:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 18'%3E%3Crect width='28' height='18' rx='3' fill='%231f6fb5'/%3E%3Ctext x='14' y='12.5' font-family='Arial' font-size='8.5' font-weight='800' text-anchor='middle' fill='white'%3EAMEX%3C/text%3E%3C/svg%3E")}
.help{flex:none;display:grid;place-items:center;width:44px;height:44px;margin-right:-14px;border:0;border-radius:50%;background:transparent;color:var(--ink-2);cursor:pointer}
.help svg{width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.error{color:var(--danger);font-size:14px;line-height:1.4}
.hint{color:var(--ink-2);font-size:14px;line-height:1.4}
details{font-size:14px;color:var(--ink-2)}
summary{min-height:44px;padding:11px 0;cursor:pointer}
.cards{display:grid;gap:4px;padding:0;list-style:none;max-height:264px;overflow:auto}
.cards button{display:flex;flex-wrap:wrap;justify-content:space-between;gap:2px 16px;width:100%;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:var(--paper);color:var(--ink);font:inherit;text-align:left;align-items:center;cursor:pointer}
.pan{font-family:Archivo,sans-serif}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}
`
}
