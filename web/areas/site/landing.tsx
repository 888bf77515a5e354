import type { ComponentType } from 'react'
import { paths } from '#contract/paths.ts'
import type { PageHandle } from '#contract/rendering.ts'
import { BusinessData, ClassesData } from '#web/features/calendar/structured-data.tsx'
import { weekQuery } from '#web/features/calendar/week-query.ts'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { useSite } from '#web/lib/settings.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/landing.ts'
import { type Landing, loadLanding } from './landing.server.ts'
import { Hero } from './landing-hero.tsx'
import { chooseGrounds, type SectionGround, type SectionKey } from './landing-layout.ts'
import { Schedule } from './landing-schedule.tsx'
import { About, Announcements, ClassTypes, Coaches, Locations, Mission, Packages, type SectionProps } from './landing-sections.tsx'

export const handle: PageHandle = { query: { dia: weekQuery.dia } }

export async function loader({ context, request }: Route.LoaderArgs) {
  return loadLanding(context.get(rendering), new URL(request.url).searchParams)
}

/** `/`: the enabled sections in the configured order (S1-2.01). */
export default function LandingPage({ loaderData }: Route.ComponentProps) {
  return <LandingSections landing={loaderData} />
}

/** The landing page; also shown for any unmatched path (S1-2.02). */
export function LandingSections({ landing }: { landing: Landing }) {
  const site = useSite()
  const grounds = chooseGrounds(landing.order)
  const name = <h1 className="sr-only">{site.business_name}</h1>
  return (
    <>
      <PageMeta title={null} description={site.tagline || landing.hero?.text} path={paths.home} image={landing.hero?.image} />
      <BusinessData />
      <ClassesData classes={landing.hero?.rail?.classes ?? landing.schedule?.classes ?? []} />
      {!landing.hero && name}
      {landing.order.map((key, at) => (
        <SectionBoundary key={key} fallback={key === 'hero' && name}>
          {section(key, landing, grounds[at] ?? 'canvas')}
        </SectionBoundary>
      ))}
    </>
  )
}

const SECTIONS: { [K in SectionKey]: ComponentType<SectionProps<K>> } = {
  hero: Hero,
  about: About,
  mission: Mission,
  class_types: ClassTypes,
  coaches: Coaches,
  packages: Packages,
  announcements: Announcements,
  schedule: Schedule,
  location: Locations,
}

function section<K extends SectionKey>(key: K, landing: Landing, ground: SectionGround) {
  const Section: ComponentType<SectionProps<K>> = SECTIONS[key]
  const part = landing[key]
  return part && <Section part={part} ground={ground} />
}
