/** Loads the landing page on the server: plain data, only what the page renders. */

import { packageSections } from '#contract/package-sections.ts'
import { paths } from '#contract/paths.ts'
import type { Rendering } from '#contract/rendering.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { type Settings, studioZone } from '#contract/settings.ts'
import { addDays, localDate } from '#contract/time.ts'
import { readWeekView } from '#web/features/calendar/week-view.ts'
import { cardPackage } from '#web/features/checkout/card-package.ts'
import { slugOfName } from '#web/features/site/art.tsx'
import type { Client } from '#web/lib/client.ts'
import { freshWithPackages } from '#web/lib/packages-expiry.server.ts'
import { followLink } from '#web/lib/paths.ts'
import { loadAnnouncements } from './announcements.server.ts'
import { rowMaker } from './class-rows.server.ts'
import { enabledSections, type SectionKey } from './landing-layout.ts'
import { ratingText } from './rating-text.ts'
import { freshWithClasses } from './schedule-expiry.server.ts'

type In = Rendering<Client>

/** Number of classes in the rail under the hero, and of announcements in their section. */
const NEXT_CLASSES = 4
const ANNOUNCEMENTS = 3
/** Locations with a map; the others are on their page. */
const LOCATIONS = 3

/** The data of the whole landing page. `query`: `dia`, the day of 'Horarios'. */
export async function loadLanding(rendering: In, query: URLSearchParams) {
  const { settings, dependsOn, attempt } = rendering
  dependsOn('settings')
  const order = enabledSections(settings)
  const has = (key: SectionKey) => order.includes(key)
  const load = <T>(key: SectionKey, read: (rendering: In) => Promise<T>) => (has(key) ? attempt(key, () => read(rendering)) : null)
  const classes = await load('schedule', () => loadClasses(rendering, query))
  const [trust, about, mission, types, coaches, packages, announcements, location] = await Promise.all([
    load('hero', loadTrust),
    load('about', loadAbout),
    load('mission', loadMission),
    load('class_types', loadTypes),
    load('coaches', loadCoaches),
    load('packages', loadPackages),
    load('announcements', loadLatest),
    load('location', loadLocations),
  ])
  const sections = {
    hero: has('hero') ? { ...heroOf(settings), trust, rail: classes?.rail ?? null } : null,
    about,
    mission,
    class_types: types,
    coaches,
    packages,
    announcements,
    schedule: classes?.schedule ?? null,
    location,
  }
  // A section without content is left out, as if its switch were off.
  return { order: order.filter((key) => sections[key] !== null), ...sections }
}
export type Landing = Awaited<ReturnType<typeof loadLanding>>

function heroOf(settings: Settings) {
  const { hero_title, hero_text, hero_image, hero_video, hero_link, hero_link_text, tagline, business_name } = settings
  return {
    title: hero_title || business_name,
    // The tagline is shown in the hero (settled 45).
    tagline: hero_text && hero_text !== tagline ? tagline : '',
    text: hero_text || tagline,
    image: hero_image,
    video: hero_video,
    ways: linksOf(settings, hero_link, hero_link_text),
  }
}

/** The button of the hero, and the second one to the schedule unless the first leads there. */
function linksOf({ domain, schedule_enabled }: Settings, link: string, text: string) {
  const { to, newTab } = link ? followLink(link, domain) : { to: paths.schedule, newTab: false }
  return {
    first: { to, newTab, isHere: to.startsWith('/') && !newTab, text: text || 'Reserva tu primera clase' },
    schedule: schedule_enabled && to !== paths.schedule,
  }
}

/** What speaks for the studio: its rating, since when it is open, and where its reviews are; null without any. */
async function loadTrust({ client, settings }: In) {
  const { opened_year, reviews_link } = settings
  const { rating } = await client.bookings.ratings({})
  const trustTexts = [rating && ratingText(rating), opened_year && `Desde ${opened_year}`].filter(Boolean)
  return trustTexts.length || reviews_link ? { text: trustTexts.join(' · '), link: reviews_link } : null
}

/** Up to this many characters the mission is shown as a large statement; longer ones as text under the title. */
const STATEMENT_LENGTH = 140

async function loadMission({ settings, safeHtml }: In) {
  const { mission_title, mission_text, mission_image, mission_link, mission_link_text } = settings
  if (!mission_title && !mission_text) return null
  const html = await safeHtml(mission_text)
  const length = html.replace(/<[^>]*>/g, '').length
  return {
    title: mission_title,
    html,
    statement: length > 0 && length <= STATEMENT_LENGTH,
    image: mission_image,
    link: mission_link,
    linkText: mission_link_text,
  }
}

async function loadAbout({ settings, client, dependsOn, safeHtml }: In) {
  const { about_title, about_text, about_image, about_link, about_link_text } = settings
  if (!about_title && !about_text) return null
  dependsOn('catalogue')
  const { class_types } = await client.catalogue.classTypes()
  const drawn = class_types[1] ?? class_types[0]
  return {
    title: about_title,
    html: await safeHtml(about_text),
    image: about_image,
    link: about_link,
    linkText: about_link_text,
    drawn: drawn ? { class_type_id: drawn.class_type_id, name: drawn.name } : null,
  }
}

async function loadTypes({ client, dependsOn }: In) {
  dependsOn('catalogue')
  const { class_types } = await client.catalogue.classTypes()
  if (!class_types.length) return null
  return class_types.map(({ class_type_id, name, description, image, intensity, duration_minutes }) => ({
    class_type_id,
    name,
    description,
    image,
    intensity,
    duration_minutes,
  }))
}

async function loadCoaches({ client, dependsOn }: In) {
  dependsOn('catalogue')
  const { instructors } = await client.catalogue.instructorsHome()
  if (!instructors.length) return null
  return instructors.map(({ instructor_id, name, last_name, nick_name, specialties, quote, file }) => ({
    instructor_id,
    name,
    last_name,
    nick_name,
    specialties,
    quote,
    file,
  }))
}

/** The packages with the home page switch (S1-1.20): those for the studio, and, if there are videos, those for online (S1-7.19). */
async function loadPackages(rendering: In) {
  const { client, settings, dependsOn } = rendering
  dependsOn('catalogue')
  const [studio, videos] = await Promise.all([
    client.catalogue.presencialesHome(),
    settings.videos_enabled ? client.catalogue.onlineHome() : null,
  ])
  freshWithPackages(rendering, [...studio.class_packages, ...(videos?.class_packages ?? [])])
  const { trial, general } = packageSections(studio.class_packages, 'home')
  const online = packageSections(videos?.class_packages ?? [], 'home')
  if (!trial.length && !general.length && !online.trial.length && !online.general.length) return null
  return {
    trial: trial.map(cardPackage),
    general: general.map(cardPackage),
    online: { trial: online.trial.map(cardPackage), general: online.general.map(cardPackage) },
  }
}

async function loadLatest(rendering: In) {
  const announcements = await loadAnnouncements(rendering)
  if (!announcements.length) return null
  return { shown: announcements.slice(0, ANNOUNCEMENTS), more: announcements.length > ANNOUNCEMENTS }
}

/** Where the studio is: its locations with an address, and the map that each links to. */
async function loadLocations({ client, dependsOn }: In) {
  dependsOn('catalogue')
  const { locations } = await client.catalogue.locations()
  const shown = locations
    .filter(({ address }) => address !== '')
    .slice(0, LOCATIONS)
    .map(({ location_id, name, address, map_link }) => ({
      location_id,
      name,
      address,
      seed: `${slugOfName(name)}-${location_id}`,
      link: map_link ? { href: map_link, target: '_blank', rel: 'noopener' } : { href: paths.location },
    }))
  return shown.length ? shown : null
}

const isAhead = (cls: SingleClass, now: Date): boolean => cls.state !== 'cancelled' && new Date(cls.starts_at) > now

/** The next classes for the rail, and the chosen day of 'Horarios'. */
async function loadClasses(rendering: In, query: URLSearchParams) {
  const { client, settings, now } = rendering
  const zone = studioZone(settings)
  const start = localDate(now, zone)
  const [ahead, toRow] = await Promise.all([client.schedule.week({ start_date: start, end_date: addDays(start, 6) }), rowMaker(rendering)])
  const { today } = ahead
  const next = ahead.days
    .flatMap(({ date, classes }) => classes.filter((cls) => isAhead(cls, now)).map((cls) => ({ date, cls })))
    .slice(0, NEXT_CLASSES)
  const first = next[0]?.date
  const view = readWeekView(query, today)
  const day = view.day ?? first ?? today
  const loaded = ahead.days.find(({ date }) => date === day) ?? (await client.schedule.week({ start_date: day, end_date: day })).days[0]
  // A past day shows all its classes; today shows only those that are not over.
  const shown = (loaded?.classes ?? []).filter((cls) => day < today || cls.state !== 'past')
  freshWithClasses(rendering, zone, [...next.map(({ cls }) => cls), ...shown])
  return {
    rail:
      first === undefined
        ? null
        : {
            date: first,
            when: first === today ? ('today' as const) : first === addDays(today, 1) ? ('tomorrow' as const) : ('later' as const),
            classes: next.map(({ date, cls }) => ({ ...toRow(cls), date })),
          },
    schedule: { today, day, classes: shown.map(toRow), ended: day === today && (loaded?.classes.length ?? 0) > 0 && !shown.length },
  }
}
