import './banner.css'
import { IconArrowRight } from '@tabler/icons-react'
import { AppLink } from '#web/lib/link.tsx'
import { followLink } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'

/**
 * The studio's message above the navbar, 45 px high while its text has at most two lines; the whole bar is a link if one is configured
 * (S1-2.49 to S1-2.51).
 */
export function Banner() {
  const site = useSite()
  if (!site.banner_enabled || !site.banner_text) return null
  const text = <span>{site.banner_text}</span>
  if (!site.banner_link) return <p className="banner">{text}</p>
  const { to, newTab } = followLink(site.banner_link, site.domain)
  const inside = (
    <>
      {text}
      <IconArrowRight className="icon" aria-hidden="true" />
    </>
  )
  if (to.startsWith('/') && !newTab)
    return (
      <AppLink to={to} className="banner">
        {inside}
      </AppLink>
    )
  return (
    <a href={to} className="banner" {...(newTab && { target: '_blank', rel: 'noopener' })}>
      {inside}
    </a>
  )
}
