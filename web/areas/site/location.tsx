import './content.css'
import { IconClock, IconMapPin, IconPhone } from '@tabler/icons-react'
import { empty } from '#contract/copy/empty-lists.ts'
import { openingHours } from '#contract/opening-hours.ts'
import { paths } from '#contract/paths.ts'
import { formatPhone } from '#contract/phone.ts'
import { BusinessData } from '#web/features/calendar/structured-data.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/location.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { client, dependsOn } = context.get(rendering)
  dependsOn('catalogue')
  const { locations } = await client.catalogue.locations()
  return {
    locations: locations.map((location) => ({ ...location, opening: location.hours ? openingHours(location.hours) : null })),
  }
}

type Location = Route.ComponentProps['loaderData']['locations'][number]

/** /ubicacion (S1-2.12): each location with its address, a route link, its hours and its telephone number. */
export default function LocationPage({ loaderData: { locations } }: Route.ComponentProps) {
  const site = useSite()
  return (
    <div className="wrap plain-page">
      <PageMeta title="Ubicación" description={site.location || `Dónde está ${site.business_name}.`} path={paths.location} />
      <BusinessData locations={locations} />
      <h1 className="t1">Ubicación</h1>
      {locations.length === 0 ? (
        site.location ? (
          <p className="lead">{site.location}</p>
        ) : (
          <EmptyState drawing="yoga">{empty.content}</EmptyState>
        )
      ) : (
        <ul className="places">
          {locations.map((location) => (
            <SectionBoundary key={location.location_id}>
              <LocationCard place={location} />
            </SectionBoundary>
          ))}
        </ul>
      )}
    </div>
  )
}

function LocationCard({ place: { name, address, map_link, phone, hours } }: { place: Location }) {
  return (
    <li className="card place">
      <h2 className="t3">{name}</h2>
      {address && (
        <p>
          <IconMapPin className="icon" aria-hidden="true" />
          <span>{address}</span>
        </p>
      )}
      {hours && (
        <p>
          <IconClock className="icon" aria-hidden="true" />
          <span className="place-hours">
            <span className="sr-only">Horario: </span>
            {hours}
          </span>
        </p>
      )}
      {phone && (
        <p>
          <IconPhone className="icon" aria-hidden="true" />
          <a className="link more-link" href={`tel:+52${phone}`}>
            {formatPhone(phone)}
          </a>
        </p>
      )}
      {map_link && (
        <Button as="a" variant="outline" href={map_link} target="_blank" rel="noopener" aria-label={`Cómo llegar a ${name}`}>
          Cómo llegar
        </Button>
      )}
    </li>
  )
}
