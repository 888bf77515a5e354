import './landing-sections.css'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type CSSProperties, type ReactNode, type RefObject, useRef, useState } from 'react'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import { PackageGrid } from '#web/features/checkout/package-grid.tsx'
import { Art, slugOfName } from '#web/features/site/art.tsx'
import { CoachPortrait } from '#web/features/site/coach-portrait.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { followLink } from '#web/lib/paths.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { buttonClass, IconButton } from '#web/ui/button.tsx'
import { Intensity } from '#web/ui/marks.tsx'
import { Section, Surface } from '#web/ui/section.tsx'
import type { Landing } from './landing.server.ts'
import { type SectionGround, type SectionKey, tileGround, tileSpans } from './landing-layout.ts'

type Part<K extends SectionKey> = NonNullable<Landing[K]>

/** Properties of every section of the landing page. */
export interface SectionProps<K extends SectionKey> {
  part: Part<K>
  ground: SectionGround
}

/** A link that the studio configured for a section. */
function SectionLink({ link, text: label }: { link: string; text: string }) {
  const text = label || 'Conoce más'
  const { domain } = useSite()
  if (!link) return null
  const { to, newTab } = followLink(link, domain)
  const className = buttonClass({ variant: 'outline' })
  if (to.startsWith('/') && !newTab)
    return (
      <AppLink to={to} className={className}>
        {text}
      </AppLink>
    )
  return (
    <a href={to} className={className} {...(newTab && { target: '_blank', rel: 'noopener' })}>
      {text}
    </a>
  )
}

export function About({ part: about, ground }: SectionProps<'about'>) {
  const site = useSite()
  return (
    <section id="nosotros" className={`section ground-${ground}`} aria-labelledby="nosotros-titulo">
      <div className="wrap about">
        <div>
          <h2 id="nosotros-titulo" className="t1">
            {about.title || 'Nosotros'}
          </h2>
          <RichText html={about.html} className="lead muted about-text" />
          <SectionLink link={about.link} text={about.linkText} />
        </div>
        <Surface ground="soft" className="about-picture">
          {about.image ? (
            <img src={fileUrl(site, about.image)} alt="" width={640} height={666} loading="lazy" decoding="async" />
          ) : (
            <Art
              kind={about.drawn ? 'clase' : 'movimiento'}
              seed={about.drawn ? `${slugOfName(about.drawn.name)}-${about.drawn.class_type_id}` : 'battement'}
              ground="soft"
              fills
              width={640}
              height={666}
            />
          )}
        </Surface>
      </div>
    </section>
  )
}

export function Mission({ part: mission, ground }: SectionProps<'mission'>) {
  const site = useSite()
  return (
    <section id="mision" className={`section mission ground-${ground}`} aria-labelledby="mision-titulo">
      {mission.image ? (
        <img
          className="mission-picture"
          src={fileUrl(site, mission.image)}
          alt=""
          width={560}
          height={480}
          loading="lazy"
          decoding="async"
        />
      ) : (
        <Art
          kind="rayos"
          seed={slugOfName(site.business_name)}
          ground={ground === 'accent' ? 'accent' : 'paper'}
          width={900}
          height={900}
          className="rays"
        />
      )}
      <div className="wrap">
        {mission.statement ? (
          <>
            <h2 id="mision-titulo" className="lead mission-lead">
              {mission.title || 'Nuestra misión'}
            </h2>
            <RichText html={mission.html} className="t1 mission-html" />
          </>
        ) : (
          <>
            <h2 id="mision-titulo" className="t1 mission-html">
              {mission.title || 'Nuestra misión'}
            </h2>
            <RichText html={mission.html} className="lead mission-text" />
          </>
        )}
        <SectionLink link={mission.link} text={mission.linkText} />
      </div>
    </section>
  )
}

export function ClassTypes({ part: types, ground }: SectionProps<'class_types'>) {
  const spans = tileSpans(types.length)
  const aside = types.some(({ intensity }) => intensity !== null) && (
    <p className="muted lead tiles-aside">Las marcas dicen qué tan intensa es. Elige por cómo quieres salir, no por cómo llegas.</p>
  )
  return (
    <Section id="clases" ground={ground} title="Clases" aside={aside}>
      <ul className="tiles">
        {types.map((type, at) => (
          <Tile key={type.class_type_id} type={type} at={at} span={spans[at] ?? 3} />
        ))}
      </ul>
    </Section>
  )
}

function Tile({ type, at, span }: { type: Part<'class_types'>[number]; at: number; span: number }) {
  const site = useSite()
  const ground = tileGround(at)
  return (
    <li className={span > 3 ? 'tile-wide' : ''} style={{ '--span': span } as CSSProperties}>
      <Surface as={AppLink} ground={ground} className="tile" to={paths.classType(type.class_type_id)}>
        {type.image ? (
          <img className="tile-photo" src={fileUrl(site, type.image.src)} alt="" width={640} height={276} loading="lazy" decoding="async" />
        ) : (
          <Art
            kind="clase"
            seed={`${slugOfName(type.name)}-${type.class_type_id}`}
            ground={ground}
            floorless
            width={320}
            height={252}
            className="tile-art"
          />
        )}
        <div className="tile-top">
          <span>{type.duration_minutes} min</span>
          {type.intensity !== null && <Intensity value={type.intensity} />}
        </div>
        <div className="tile-text">
          <h3 className="t3">{type.name}</h3>
          {type.description && <p className="small muted tile-line">{type.description}</p>}
        </div>
      </Surface>
    </li>
  )
}

export function Coaches({ part: coaches, ground }: SectionProps<'coaches'>) {
  // Complete rows of four are shown as a grid. Any other number is one scrolling row until all are shown, so that no coach is alone in
  // a row.
  const isFullGrid = coaches.length <= 4 || coaches.length % 4 === 0
  const row = useRef<HTMLUListElement>(null)
  const [all, setAll] = useState(isFullGrid)
  return (
    <Section
      id="coaches"
      ground={ground}
      title="Coaches"
      aside={
        !isFullGrid && (
          <div className="row gap-8 coaches-ways">
            {!all && (
              <>
                <RowArrow row={row} label="Coaches anteriores" by={-1} />
                <RowArrow row={row} label="Más coaches" by={1} />
              </>
            )}
            <button type="button" className="link more-link" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? 'Ver menos' : 'Conoce a todo el equipo'}
            </button>
          </div>
        )
      }
    >
      <ul
        ref={row}
        className={`coaches ${isFullGrid ? '' : all ? 'coaches-all' : 'coaches-row'}`}
        {...(!all && { tabIndex: 0, 'aria-label': 'Coaches' })}
      >
        {coaches.map((coach, at) => (
          <li key={coach.instructor_id}>
            <AppLink className="coach" to={paths.instructor(coach.instructor_id)}>
              <CoachPortrait coach={coach} at={at} decorative />
              <h3 className="t4 display">{instructorFullName(coach)}</h3>
              {coach.specialties && <p className="small muted coach-line">{coach.specialties}</p>}
              {coach.quote && <p>“{coach.quote}”</p>}
            </AppLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Scrolls a row by its visible width, for visitors with a mouse that cannot scroll sideways. */
function RowArrow({ row, label, by }: { row: RefObject<HTMLElement | null>; label: string; by: -1 | 1 }) {
  const Icon = by < 0 ? IconChevronLeft : IconChevronRight
  return (
    <IconButton
      label={label}
      className="row-arrow"
      onClick={() => row.current?.scrollBy({ left: by * row.current.clientWidth * 0.75, behavior: 'smooth' })}
    >
      <Icon className="icon" aria-hidden="true" />
    </IconButton>
  )
}

export function Packages({ part: packages, ground }: SectionProps<'packages'>) {
  const site = useSite()
  const { class_packages_name: name } = site
  const { online } = packages
  return (
    <Section
      id="paquetes"
      ground={ground}
      title={name}
      // A name that the studio chose may have any gender and number, so "Todos los" cannot be put before it.
      aside={<MoreLink to={paths.packages(site)}>{name === 'Paquetes' ? 'Ver todos los paquetes' : `Ver ${name.toLowerCase()}`}</MoreLink>}
    >
      {packages.trial.length + packages.general.length > 0 && (
        <PackageGrid trial={packages.trial} packages={packages.general} scrolls={name} help="gaps" />
      )}
      {online.trial.length + online.general.length > 0 && (
        <>
          <h3 className="t2 packages-online">Online</h3>
          <PackageGrid trial={online.trial} packages={online.general} scrolls="Online" help="gaps" />
        </>
      )}
    </Section>
  )
}

const MoreLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <AppLink to={to} className="link more-link">
    {children}
  </AppLink>
)

export function Announcements({ part: announcements, ground }: SectionProps<'announcements'>) {
  const site = useSite()
  return (
    <section id="avisos" className={`section ground-${ground}`} aria-labelledby="avisos-titulo">
      <div className="wrap notices">
        <div className="stack gap-16">
          <h2 id="avisos-titulo" className="t1">
            Avisos
          </h2>
          {announcements.more && <MoreLink to={paths.announcements}>Ver todos los avisos</MoreLink>}
        </div>
        <ul className="notices-list">
          {announcements.shown.map(({ announcement_id, title, content, since, where }) => (
            <li key={announcement_id}>
              <time className="small strong" dateTime={since}>
                {formatInstant(new Date(since), site.zone, 'day')}
              </time>
              <div>
                <h3 className="t3">{title}</h3>
                {where && <p className="small muted">{where}</p>}
                <RichText html={content} />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Where the studio is: a drawn map of each location, which leads to the true one. Nothing is loaded from another site. */
export function Locations({ part: locations, ground }: SectionProps<'location'>) {
  return (
    <Section id="ubicacion" ground={ground} title="Dónde estamos" aside={<MoreLink to={paths.location}>Horarios y teléfonos</MoreLink>}>
      <ul className="maps">
        {locations.map(({ location_id, name, address, seed, link }) => (
          <li key={location_id}>
            <a className="map" {...link}>
              <Surface as="span" ground="soft">
                <Art kind="mapa" seed={seed} ground="soft" width={640} height={300} />
              </Surface>
              <h3 className="t4 display">{name}</h3>
              <p className="muted">{address}</p>
              <span className="link">Cómo llegar</span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
