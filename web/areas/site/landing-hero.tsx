import './landing-hero.css'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { type CardClass, coachNames, spotsText } from '#web/features/calendar/class-facts.ts'
import { Art, artUrl, slugOfName } from '#web/features/site/art.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Marks } from '#web/ui/marks.tsx'
import type { Landing } from './landing.server.ts'

type HeroData = NonNullable<Landing['hero']>

/** The first screen: the studio's title and text, one button, and today's next classes under the drawing. */
export function Hero({ part: hero }: { part: HeroData }) {
  const site = useSite()
  const pictured = Boolean(hero.video || hero.image)
  return (
    <section className={`hero ground-stage ${pictured ? 'hero-pictured' : ''}`} aria-labelledby="portada">
      {hero.video ? (
        <HeroVideo
          src={fileUrl(site, hero.video)}
          poster={
            hero.image ? fileUrl(site, hero.image) : artUrl(site, { kind: 'heroe', seed: slugOfName(site.business_name), ground: 'stage' })
          }
        />
      ) : (
        hero.image && <img className="hero-picture" src={fileUrl(site, hero.image)} alt="" width={1440} height={840} fetchPriority="high" />
      )}
      <div className="wrap hero-text">
        <h1 id="portada" className="t0">
          {hero.title}
        </h1>
        <div className="stack gap-24 hero-lead">
          {hero.tagline && <p className="strong">{hero.tagline}</p>}
          {hero.text && <p className="lead">{hero.text}</p>}
          <HeroLinks {...hero.ways} />
          {hero.trust && (
            <p className="small">
              {hero.trust.text}{' '}
              {hero.trust.link && (
                <a className="link" href={hero.trust.link} target="_blank" rel="noopener">
                  Lee las reseñas
                </a>
              )}
            </p>
          )}
        </div>
      </div>
      <div className="hero-floor">
        {!pictured && (
          <Art kind="heroe" seed={slugOfName(site.business_name)} ground="stage" width={1440} height={400} className="hero-art" eager />
        )}
        {hero.rail && <Rail rail={hero.rail} />}
      </div>
    </section>
  )
}

function HeroLinks({ first, schedule }: HeroData['ways']) {
  return (
    <div className="row wraps hero-ways">
      {first.isHere ? (
        <Button as={AppLink} to={first.to}>
          {first.text}
        </Button>
      ) : (
        <Button as="a" href={first.to} {...(first.newTab && { target: '_blank', rel: 'noopener' })}>
          {first.text}
        </Button>
      )}
      {schedule && (
        <Button as={AppLink} variant="outline" to={paths.schedule}>
          Ver horarios
        </Button>
      )}
    </div>
  )
}

/**
 * Starts by itself, without sound, unless reduced motion is preferred; the visitor can always stop it. `poster`: what is seen until
 * it plays.
 */
function HeroVideo({ src, poster }: { src: string; poster: string }) {
  const video = useRef<HTMLVideoElement>(null)
  const [playing, setPlaying] = useState(false)
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    // If the browser refuses autoplay, the poster stays.
    video.current?.play().catch(() => {})
  }, [])
  const Icon = playing ? IconPlayerPause : IconPlayerPlay
  return (
    <>
      <video
        ref={video}
        className="hero-picture"
        src={src}
        poster={poster}
        muted
        loop
        playsInline
        preload="metadata"
        aria-hidden="true"
        tabIndex={-1}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      <IconButton
        label={playing ? 'Pausar video' : 'Reproducir video'}
        className="hero-pause"
        onClick={() => (playing ? video.current?.pause() : void video.current?.play())}
      >
        <Icon className="icon" aria-hidden="true" />
      </IconButton>
    </>
  )
}

const WHEN = { today: 'Hoy en el estudio', tomorrow: 'Mañana en el estudio', later: 'Próximas clases' } as const

function Rail({ rail }: { rail: NonNullable<HeroData['rail']> }) {
  return (
    <div className="wrap">
      <section className="rail ground-paper" aria-labelledby="hoy">
        <div className="rail-head">
          <h2 id="hoy" className="strong">
            {WHEN[rail.when]}
          </h2>
          <span className="small muted">{dayText(rail.date)}</span>
        </div>
        <ul className="rail-classes">
          {rail.classes.map((cls) => (
            <RailClass key={cls.single_class_id} cls={cls} sameDay={cls.date === rail.date} />
          ))}
        </ul>
      </section>
    </div>
  )
}

/** "miércoles 18 nov" */
const dayText = (date: string): string => {
  const at = `${date}T00:00:00.000Z`
  return `${formatWall(at, 'weekday')} ${formatWall(at, 'day').split(' ')[1]}`
}

function RailClass({ cls, sameDay }: { cls: CardClass & { date: string }; sameDay: boolean }) {
  const few = cls.state === 'available' && cls.places_left <= 2
  const capacity = cls.capacity ?? 0
  const day = formatWall(cls.class_date, 'class').slice(0, 6)
  return (
    <li>
      <AppLink to={`${paths.schedule}?dia=${cls.date}#clase-${cls.single_class_id}`} className="rail-class">
        <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
        <span className="rail-what">
          <span className="strong">{cls.class_type.name}</span>
          <span className="small muted">{[!sameDay && day, coachNames(cls), cls.location.name, cls.zone].filter(Boolean).join(' · ')}</span>
        </span>
        <span className="rail-room">
          <Marks capacity={capacity} taken={capacity - cls.places_left} most={12} />
          <span className={`small rail-places ${few ? 'rail-few' : ''} ${cls.places_left === 0 ? 'muted' : ''}`}>{spotsText(cls)}</span>
        </span>
      </AppLink>
    </li>
  )
}
