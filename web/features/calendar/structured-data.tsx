import { instructorFullName } from '#contract/copy/instructor-names.ts'
import type { OpeningHours } from '#contract/opening-hours.ts'
import { paths } from '#contract/paths.ts'
import { addDays } from '#contract/time.ts'
import { type Site, useSite, wholeUrl } from '#web/lib/settings.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import { type CardClass, coachNames } from './class-facts.ts'

/**
 * Structured data for search engines. A JSON data block is not executed, so the CSP needs no exception. Search engines read the server's
 * document, so `facts` is called only there; the browser keeps the existing element, and the build removes the code for the facts.
 */
const LinkedData = (props: LinkedDataProps) => (
  <SectionBoundary>
    <Facts {...props} />
  </SectionBoundary>
)

interface LinkedDataProps {
  facts: () => object[]
}

function Facts({ facts }: LinkedDataProps) {
  // Escaped, so that no `</script>` in a text can end the element.
  const json = import.meta.env.SSR
    ? JSON.stringify({ '@context': 'https://schema.org', '@graph': facts() }).replaceAll('<', '\\u003c')
    : '{}'
  // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped JSON, which cannot close its element
  return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />
}

const absoluteUrl = (site: Site, src: string): string | undefined => (src ? wholeUrl(site, src) : undefined)
const businessId = (site: Site): string => `${site.publicUrl}/#estudio`

function business(site: Site) {
  const elsewhere = [site.facebook, site.instagram, site.tiktok].filter((link) => /^https?:/i.test(link))
  return {
    '@id': businessId(site),
    '@type': ['LocalBusiness', 'SportsActivityLocation'],
    name: site.business_name,
    description: site.tagline || undefined,
    url: `${site.publicUrl}${paths.home}`,
    logo: absoluteUrl(site, site.navbar_logo),
    image: absoluteUrl(site, site.social_media_image || site.navbar_logo),
    email: site.email || undefined,
    telephone: site.whatsapp ? `+52${site.whatsapp}` : undefined,
    address: site.location || undefined,
    currenciesAccepted: 'MXN',
    sameAs: elsewhere.length ? elsewhere : undefined,
  }
}

interface BranchFacts {
  location_id: number
  name: string
  address: string
  map_link: string | null
  phone: string | null
  opening: readonly OpeningHours[] | null
}

function branches(site: Site, reservations: readonly BranchFacts[]) {
  return reservations.map((reservation) => ({
    '@id': `${site.publicUrl}/#lugar-${reservation.location_id}`,
    '@type': ['LocalBusiness', 'SportsActivityLocation'],
    name: `${site.business_name}, ${reservation.name}`,
    url: `${site.publicUrl}${paths.location}`,
    image: absoluteUrl(site, site.social_media_image || site.navbar_logo),
    address: reservation.address || site.location || undefined,
    telephone: reservation.phone ? `+52${reservation.phone}` : undefined,
    hasMap: reservation.map_link ?? undefined,
    openingHoursSpecification: reservation.opening?.map((hours) => ({ '@type': 'OpeningHoursSpecification', ...hours })),
    parentOrganization: { '@id': businessId(site) },
  }))
}

/** The studio as structured data, with its locations if the page shows them. */
export function BusinessData({ locations = [] }: { locations?: readonly BranchFacts[] }) {
  const site = useSite()
  return <LinkedData facts={() => (import.meta.env.SSR ? [business(site), ...branches(site, locations)] : [])} />
}

/** Maximum number of events: search engines read the page again before later ones matter. */
const EVENTS = 24

/** The local time of the class without a zone, which search engines read as the time of the location: "2026-11-18T18:00:00". */
const wallHour = (wire: string): string => wire.slice(0, 19)

function wallEnd(cls: Pick<CardClass, 'class_date' | 'duration_minutes'>): string {
  const minutes = Number(cls.class_date.slice(11, 13)) * 60 + Number(cls.class_date.slice(14, 16)) + cls.duration_minutes
  const two = (value: number) => String(value).padStart(2, '0')
  return `${addDays(cls.class_date.slice(0, 10), Math.floor(minutes / 1440))}T${two(Math.floor((minutes % 1440) / 60))}:${two(minutes % 60)}:00`
}

function event(site: Site, cls: CardClass) {
  const coaches = coachNames(cls)
  const called = cls.state === 'cancelled'
  const url = `${site.publicUrl}${paths.schedule}?dia=${cls.class_date.slice(0, 10)}`
  return {
    '@type': 'Event',
    name: coaches ? `${cls.class_type.name} con ${coaches}` : cls.class_type.name,
    startDate: wallHour(cls.class_date),
    endDate: wallEnd(cls),
    eventStatus: `https://schema.org/${called ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    url,
    image: absoluteUrl(site, site.social_media_image || site.navbar_logo),
    location: { '@type': 'Place', name: `${site.business_name}, ${cls.location.name}`, address: site.location || cls.location.name },
    performer: cls.class_instructors.map(({ instructor }) => ({ '@type': 'Person', name: instructorFullName(instructor) })),
    organizer: { '@type': 'Organization', name: site.business_name, url: `${site.publicUrl}${paths.home}` },
    offers: called
      ? undefined
      : { '@type': 'Offer', url, availability: `https://schema.org/${cls.places_left > 0 ? 'InStock' : 'SoldOut'}` },
  }
}

/** The upcoming classes of a page as structured data. */
export function ClassesData({ classes }: { classes: readonly CardClass[] }) {
  const site = useSite()
  const coming = classes.filter(({ state }) => state !== 'past').slice(0, EVENTS)
  return coming.length ? <LinkedData facts={() => (import.meta.env.SSR ? coming.map((cls) => event(site, cls)) : [])} /> : null
}
