import './footer.css'
import { IconBrandFacebook, IconBrandInstagram, IconBrandTiktok, IconBrandWhatsapp, IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { formatPhone, whatsappLink } from '#contract/phone.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Brand } from './brand.tsx'
import { LanguageButton } from './language-button.tsx'

/** A content page in the footer's list. */
export interface PageLink {
  slug: string
  title: string
}

/** Contact, social networks, content pages and 'Powered by' (S2-2.73 to S2-2.77). Links that the studio did not configure are left out. */
export function Footer({ pages }: { pages: readonly PageLink[] }) {
  const site = useSite()
  const contact: Entry[] = [
    { label: formatPhone(site.whatsapp), href: site.whatsapp && whatsappLink(site.whatsapp), icon: IconBrandWhatsapp },
    { label: site.email, href: site.email && `mailto:${site.email}`, icon: IconMail },
  ]
  const networks: Entry[] = [
    { label: 'Instagram', href: site.instagram, icon: IconBrandInstagram },
    { label: 'Facebook', href: site.facebook, icon: IconBrandFacebook },
    { label: 'TikTok', href: site.tiktok, icon: IconBrandTiktok },
  ]
  return (
    <footer className="footer ground-stage">
      <div className="wrap">
        <div className="footer-columns">
          <div>
            <Brand ground="stage" size="big" />
            {site.location && <p className="muted footer-place">{site.location}</p>}
          </div>
          <Column title="Contacto" entries={contact} />
          <Column title="Síguenos" entries={networks} />
          <Column title={site.business_name}>
            <FooterLink to={paths.announcements}>Avisos</FooterLink>
            {pages.map((page) => (
              <FooterLink key={page.slug} to={paths.page(page.slug)}>
                {page.title}
              </FooterLink>
            ))}
          </Column>
        </div>
        <p className="footer-powered">
          Powered by{' '}
          {site.vendor.url ? (
            <a href={site.vendor.url} target="_blank" rel="noopener">
              {site.vendor.name}
            </a>
          ) : (
            site.vendor.name
          )}
          <LanguageButton className="link footer-language" />
        </p>
      </div>
    </footer>
  )
}

interface Entry {
  label: string
  href: string
  icon: typeof IconMail
}

function Column({ title, entries = [], children }: { title: string; entries?: readonly Entry[]; children?: ReactNode }) {
  const set = entries.filter(({ href }) => href)
  if (!set.length && !children) return null
  return (
    <nav aria-label={title}>
      <p className="small strong">{title}</p>
      <ul>
        {set.map(({ label, href, icon: Icon }) => (
          <li key={label}>
            <a href={href} {...(href.startsWith('http') && { target: '_blank', rel: 'noopener' })}>
              <Icon className="icon" aria-hidden="true" />
              {label}
            </a>
          </li>
        ))}
        {children}
      </ul>
    </nav>
  )
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <AppLink to={to}>{children}</AppLink>
    </li>
  )
}
