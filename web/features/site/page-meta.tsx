import { useSite, wholeUrl } from '#web/lib/settings.tsx'

interface PageMetaProps {
  /** null: only the studio's name (landing page) */
  title: string | null
  description?: string | null | undefined
  /** canonical path of the page */
  path: string
  /** a picture of this page; otherwise the studio's `social_media_image` */
  image?: string | null | undefined
  hidden?: boolean
}

/** Metadata for search engines and link previews; React moves it into the head. */
export function PageMeta({ title, description, path, image, hidden = false }: PageMetaProps) {
  const site = useSite()
  const fullTitle = title ? `${title} · ${site.business_name}` : site.business_name
  const about = description || site.tagline
  const src = image || site.social_media_image
  const canonical = `${site.publicUrl}${path}`
  // Link previews need absolute addresses.
  const picture = src && wholeUrl(site, src)
  return (
    <>
      <title>{fullTitle}</title>
      {about && <meta name="description" content={about} />}
      {hidden ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonical} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={site.business_name} />
      <meta property="og:locale" content="es_MX" />
      <meta property="og:title" content={title ?? fullTitle} />
      {about && <meta property="og:description" content={about} />}
      <meta property="og:url" content={canonical} />
      {picture && <meta property="og:image" content={picture} />}
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
    </>
  )
}

/** The document title of a page that is not indexed: the page, then the studio. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · ${useSite().business_name}`}</title>
}
