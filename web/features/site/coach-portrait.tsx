import type { Instructor } from '#contract/catalogue.ts'
import { instructorFullName } from '#contract/copy/names.ts'
import { fileUrl, type Site, useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Art, artUrl, slug } from './art.tsx'

export type CoachFace = Pick<Instructor, 'instructor_id' | 'name' | 'last_name' | 'nick_name' | 'file'>

/** The drawn bust stays the same under another nick name. */
const seedOf = (coach: CoachFace): string => `${slug(`${coach.name} ${coach.last_name}`)}-${coach.instructor_id}`

/** The address of a coach's small picture: the photo, else the drawn bust. */
export function coachAvatarUrl(site: Site, coach: CoachFace): string {
  return coach.file ? fileUrl(site, coach.file.src) : artUrl(site, { kind: 'avatar', seed: seedOf(coach) })
}

/** A coach as a disc beside the name. */
export function CoachAvatar({ coach, size = 28 }: { coach: CoachFace; size?: number }) {
  const site = useSite()
  return <Avatar name={instructorFullName(coach)} src={coachAvatarUrl(site, coach)} size={size} />
}

/** Grounds of drawn portraits, dealt by order (design section 9). */
const GROUNDS = ['stage', 'soft', 'accent', 'soft'] as const
export const portraitGround = (at: number): (typeof GROUNDS)[number] => GROUNDS[at % GROUNDS.length] ?? 'stage'

interface PortraitProps {
  coach: CoachFace
  at?: number
  eager?: boolean
  /** in a card that says the name, where a reader would hear it twice */
  decorative?: boolean
}

/** A coach's photo or drawn bust in a frame of 4 : 4.9, on the ground that its place in the row deals. */
export function CoachPortrait({ coach, at = 0, eager = false, decorative = false }: PortraitProps) {
  const site = useSite()
  const ground = portraitGround(at)
  const alt = decorative ? '' : `Retrato de ${instructorFullName(coach)}`
  return (
    <span className={`coach-portrait ground-${ground}`}>
      {coach.file ? (
        <img src={fileUrl(site, coach.file.src)} alt={alt} width={400} height={490} loading={eager ? 'eager' : 'lazy'} decoding="async" />
      ) : (
        <Art kind="coach" seed={seedOf(coach)} ground={ground} width={400} height={490} alt={alt} eager={eager} />
      )}
    </span>
  )
}
