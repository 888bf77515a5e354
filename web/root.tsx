import './styles.css'
import './contrast.css'
import './print.css'
import { type ReactNode, useEffect } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { paths } from '#contract/paths.ts'
import type { Route } from './+types/root.ts'
import { useDocumentParts } from './lib/document-parts.tsx'
import { openServiceWorker } from './lib/offline.ts'
import { areaOf } from './lib/paths.ts'
import { rendering } from './lib/rendering.ts'
import { fileUrl, SiteProvider } from './lib/settings.tsx'
import { siteFrom } from './lib/site.server.ts'
import { buttonClass } from './ui/button.tsx'

export function loader({ context, request }: Route.LoaderArgs) {
  const { settings, publicUrl, vendor, certification, dependsOn } = context.get(rendering)
  dependsOn('settings')
  return siteFrom(settings, { publicUrl, vendor, certification, area: areaOf(new URL(request.url).pathname) })
}

/** Brand and switches are loaded once per document; a full load brings new ones. */
export const shouldRevalidate = () => false

export function Layout({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<typeof loader>('root')
  const { css, styleNonce } = useDocumentParts()
  const { pathname } = useLocation()
  // The administration has the day theme in every brand.
  const night = site?.theme_mode === 'noche' && areaOf(pathname) !== 'admin'
  return (
    <html lang="es-MX">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="style-nonce" content={styleNonce} />
        <meta name="theme-color" content={site ? (night ? site.dark : site.light) : '#ffffff'} />
        {site?.fonts.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <Links />
        {/* After the product's own rules, so that the studio's rules override them. */}
        <style id="brand" nonce={styleNonce} suppressHydrationWarning>
          {css}
        </style>
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="apple-touch-icon" href="/iconos/180.png" />
        <link rel="icon" href={site?.favicon ? fileUrl(site, site.favicon) : '/favicon.svg'} />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root({ loaderData }: Route.ComponentProps) {
  // Here and not in entry.client.tsx, whose import would load component styles before the order of the CSS layers is declared.
  useEffect(() => {
    if (import.meta.env.PROD) openServiceWorker()
  }, [])
  return (
    <SiteProvider site={loaderData}>
      <Outlet />
    </SiteProvider>
  )
}

/** An empty href reloads the current address. */
const CURRENT_ADDRESS = ''

export function ErrorBoundary() {
  const error = useRouteError()
  const site = useRouteLoaderData<typeof loader>('root')
  const missing = isRouteErrorResponse(error) && error.status === 404
  return (
    <main className="failure">
      <title>{missing ? 'No encontrado' : 'Algo salió mal'}</title>
      {site && <p className="failure-name">{site.business_name}</p>}
      <h1 className="t2">{missing ? 'No encontramos lo que buscas.' : 'Algo salió mal de nuestro lado. Inténtalo más tarde.'}</h1>
      <p className="failure-ways">
        {!missing && (
          <a className={buttonClass()} href={CURRENT_ADDRESS}>
            Intentar de nuevo
          </a>
        )}
        <a className={buttonClass({ variant: missing ? 'filled' : 'outline' })} href={paths.home}>
          Ir al inicio
        </a>
      </p>
    </main>
  )
}
