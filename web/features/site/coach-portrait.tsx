import type { Instructor } from '#contract/catalogue.ts'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { fileUrl, type Site, useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Art, artUrl, slugOfName } from './art.tsx'

export type CoachFace = Pick<Instructor, 'instructor_id' | 'name' | 'last_name' | 'nick_name' | 'file'>

/** The seed of the drawn portrait. Without the nickname, so that the drawing stays the same when it changes. */
const seedOf = (coach: CoachFace): string => `${slugOfName(`${coach.name} ${coach.last_name}`)}-${coach.instructor_id}`

/** The address of a coach's small picture: the photo, else the drawn portrait. */
export function coachAvatarUrl(site: Site, coach: CoachFace): string {
  return coach.file ? fileUrl(site, coach.file.src) : artUrl(site, { kind: 'avatar', seed: seedOf(coach) })
}

/** A coach's picture as a disc, beside the name. */
export function CoachAvatar({ coach, size = 28 }: { coach: CoachFace; size?: number }) {
  const site = useSite()
  return <Avatar name={instructorFullName(coach)} src={coachAvatarUrl(site, coach)} size={size} />
}

/** The backgrounds of drawn portraits, in turn (design section 9). */
const GROUNDS = ['stage', 'soft', 'accent', 'soft'] as const
/** The background of the portrait at an index. */
export const portraitGround = (at: number): (typeof GROUNDS)[number] => GROUNDS[at % GROUNDS.length] ?? 'stage'

interface PortraitProps {
  coach: CoachFace
  at?: number
  eager?: boolean
  /** in a card that shows the name, which screen readers would otherwise read twice */
  decorative?: boolean
}

/** A coach's photo or drawn portrait in a frame of 4 : 4.9. `at`: its index in the row, which chooses the background. */
export function CoachPortrait({ coach, at = 0, eager = false, decorative = false }: PortraitProps) {
  const site = useSite()
  const ground = portraitGround(at)
  const alt = decorative ? '' : `Retrato de ${instructorFullName(coach)}`
  return (
    <span className={`coach-portrait ground-${ground}`}>
      {coach.file ? (
        <img
          src={fileUrl(site, coach.file.src)}
          alt={alt}
          width={400}
          height={490}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
          decoding="async"
        />
      ) : (
        <Art kind="coach" seed={seedOf(coach)} ground={ground} width={400} height={490} alt={alt} eager={eager} />
      )}
    </span>
  )
}
