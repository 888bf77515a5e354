import './brand.css'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Art, slugOfName } from './art.tsx'

/**
 * The studio's logo, or its drawn mark and its name in the theme's typeface (design section 9). Decorative: the link around it has a label.
 */
export function Brand({ ground = 'paper', size = 'normal' }: { ground?: 'paper' | 'stage'; size?: 'normal' | 'big' }) {
  const site = useSite()
  const className = `brand ${size === 'big' ? 'brand-big' : ''}`
  if (site.navbar_logo)
    return (
      <span className={className}>
        <img className="brand-logo" src={fileUrl(site, site.navbar_logo)} alt={site.business_name} height={40} />
      </span>
    )
  return (
    <span className={className}>
      <Art kind="marca" seed={slugOfName(site.business_name)} ground={ground} width={30} height={30} eager={size === 'normal'} />
      <span className="brand-name">{site.business_name}</span>
    </span>
  )
}
