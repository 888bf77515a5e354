import { IconBrandWhatsapp } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { whatsappLink } from '#contract/phone.ts'
import { Art } from '#web/features/site/art.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import type { CardPackage } from './card-package.ts'
import { PackageCard } from './package-card.tsx'

interface PackageGridProps {
  /** trial packages shown as cards before the others (landing page) */
  trial?: readonly CardPackage[]
  packages: readonly CardPackage[]
  /** why this customer cannot buy a package now */
  reasonOf?: (classPackage: CardPackage) => string | null
  /** the name of a row that scrolls sideways on phones; without one it does not scroll */
  scrolls?: string
  /** adds the help card after complete rows too */
  help?: 'always' | 'gaps'
}

/** Packages in a grid; an incomplete last row is filled with the card '¿No sabes cuál?' (design section 5). */
export function PackageGrid({ trial = [], packages, reasonOf, scrolls, help = 'always' }: PackageGridProps) {
  const site = useSite()
  const count = trial.length + packages.length
  const helps = Boolean(site.whatsapp) && (help === 'always' || count % 4 !== 0)
  return (
    <div className={`packages ${scrolls ? 'packages-scroll' : ''}`} {...(scrolls && { tabIndex: 0, role: 'group', 'aria-label': scrolls })}>
      {trial.map((classPackage) => (
        <PackageCard key={classPackage.class_package_id} classPackage={classPackage} trial reason={reasonOf?.(classPackage) ?? null} />
      ))}
      {packages.map((classPackage) => (
        <PackageCard key={classPackage.class_package_id} classPackage={classPackage} reason={reasonOf?.(classPackage) ?? null} />
      ))}
      {helps && <HelpCard phone={site.whatsapp} rest={4 - (count % 4)} restTablet={2 - (count % 2)} />}
    </div>
  )
}

/** `rest`: number of free columns in the last row, which the card fills. */
function HelpCard({ phone, rest, restTablet }: { phone: string; rest: number; restTablet: number }) {
  return (
    <aside
      className={`package package-help ground-soft ${rest === 4 ? 'package-help-line' : ''}`}
      style={{ '--rest-desktop': rest, '--rest-tablet': restTablet } as CSSProperties}
    >
      <h3 className="t3">¿No sabes cuál?</h3>
      <p>Cuéntanos cuántas veces por semana quieres venir y te decimos cuál te conviene.</p>
      <Button
        as="a"
        variant="outline"
        full
        href={whatsappLink(phone)}
        target="_blank"
        rel="noopener"
        icon={<IconBrandWhatsapp className="icon" aria-hidden="true" />}
      >
        Escríbenos
      </Button>
      {rest > 1 && rest < 4 && (
        <Art kind="movimiento" seed="battement" ground="soft" width={400} height={300} className="package-help-art" />
      )}
    </aside>
  )
}
