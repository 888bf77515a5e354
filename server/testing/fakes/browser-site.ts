/**
 * Serves the processors' scripts, fields and buttons to browsers under test: a site on loopback next to the fakes of the APIs. What a
 * person does there (types a number, answers the bank's challenge, approves) is written to the fakes' books.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { bankScript, conektaScript, expressScript, fieldScript, paypalScript, stripeScript } from './scripts.browser.ts'

/** Actions of people in the processors' windows. */
export interface BrowserActions {
  /** Last four digits typed -> token of the fake; a value `no:...` is the error text of the script. */
  tokens: Readonly<Record<string, string>>
  /** The wallets of this browser, by Stripe's names, with the token that each returns. */
  wallets?: Partial<Record<'applePay' | 'googlePay' | 'link', string>>
  confirm?(secret: string, yes: boolean): void
  approve?(kind: 'orden' | 'suscripcion', id: string): void
}

export interface BrowserSite {
  url: string
  /** Requested paths, in order. */
  readonly requested: string[]
  /** When true, scripts are not found. */
  down: boolean
  close(): Promise<void>
}

const EXPRESS = {
  applePay: { label: 'Apple Pay', type: 'apple_pay' },
  googlePay: { label: 'Google Pay', type: 'google_pay' },
  link: { label: 'Link', type: 'link' },
} as const
const LABELS: Record<string, string> = { cardNumber: 'Número', cardExpiry: 'Vence', cardCvc: 'Código' }

export async function openBrowserSite(actions: BrowserActions): Promise<BrowserSite> {
  const requestedPaths: string[] = []
  const site = { down: false }
  const script = (of: (base: string) => void) => ['text/javascript', `(${of.toString()})(${JSON.stringify(url)})`] as const
  const page = (body: string, own: string) =>
    [
      'text/html; charset=utf-8',
      `<!doctype html><html lang="es"><title>Procesador</title><body style="margin:0">${body}<script>${own}</script>`,
    ] as const
  const choice = (yes: string, no: string, more = '') =>
    page(`<button value="yes" disabled>${yes}</button><button value="no" disabled>${no}</button>${more}`, `(${bankScript.toString()})()`)

  function answer(path: string, query: URLSearchParams): readonly [type: string, text: string] | null {
    if (path === '/endive/stripe.js' && !site.down) return script(stripeScript)
    if (path === '/sdk/js' && !site.down) return script(paypalScript)
    if (path === '/v1.0/js/conekta-checkout.min.js' && !site.down) return script(conektaScript)
    if (path === '/carteras') return ['application/json', JSON.stringify(Object.keys(actions.wallets ?? {}))]
    if (path === '/rapido')
      return page(
        `<div style="display:flex;gap:8px">${(query.get('carteras') ?? '')
          .split(',')
          .map((name) => {
            const { label, type } = EXPRESS[name as keyof typeof EXPRESS]
            const style = 'flex:1;height:100vh;border:0;border-radius:8px;background:#000;color:#fff;font-size:17px'
            return `<button name="${type}" value="${actions.wallets?.[name as keyof typeof EXPRESS]}" style="${style}" disabled>${label}</button>`
          })
          .join('')}</div>`,
        `(${expressScript.toString()})()`,
      )
    if (path === '/hoja') return choice('Autorizar', 'Cerrar', `<p>${(Number(query.get('monto')) / 100).toFixed(2)} MXN</p>`)
    if (path === '/banco') return choice('Autorizar', 'Rechazar')
    if (path === '/paypal')
      return choice('Pagar con PayPal', 'Cerrar PayPal', '<button value="blocked" disabled>Ventana bloqueada</button>')
    if (path === '/campo') {
      const label = LABELS[query.get('campo') ?? ''] ?? ''
      return page(
        `<input aria-label="${label}" style="width:100%;box-sizing:border-box;height:44px" disabled>`,
        `(${fieldScript.toString()})(${JSON.stringify(actions.tokens)})`,
      )
    }
    return null
  }

  const server = createServer(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://loopback')
    requestedPaths.push(pathname)
    res.setHeader('access-control-allow-origin', '*')
    if (req.method === 'POST') {
      const body = await textOf(req)
      if (pathname === '/confirmar') {
        const { secret, yes } = JSON.parse(body) as { secret: string; yes: boolean }
        actions.confirm?.(secret, yes)
      }
      const [, kind, id] = /^\/aprobar\/(orden|suscripcion)\/([\w-]+)$/.exec(pathname) ?? []
      if (kind && id) actions.approve?.(kind as 'orden' | 'suscripcion', id)
      res.end('{}')
      return
    }
    const found = answer(pathname, searchParams)
    if (!found) res.statusCode = 404
    else res.setHeader('content-type', found[0])
    res.end(found?.[1])
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return Object.assign(site, {
    url,
    requested: requestedPaths,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  })
}

async function textOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of req) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
