import { type Mark, marksOf } from './marks-count.ts'
import './marks.css'

interface MarksProps {
  capacity: number
  taken: number
  /** places of mine among the taken ones, or people who have arrived */
  mine?: number
  /** 12 bars on desktop cards, 10 on phone rows, up to 20 elsewhere */
  most?: number
  size?: 'small' | 'normal' | 'big'
}

const bar: Record<Mark, string | undefined> = { taken: 'taken', mine: 'mine', free: undefined }

/** The spots meter: a bar per place. It is a picture: the words beside it say the number. */
export function Marks({ capacity, taken, mine = 0, most = 20, size = 'normal' }: MarksProps) {
  const { marks, few } = marksOf({ capacity, taken, mine, most })
  return (
    <span aria-hidden="true" className={`marks ${few ? 'marks-few' : ''} ${size === 'normal' ? '' : `marks-${size}`}`}>
      {marks.map((mark, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is nothing but its place
        <i key={at} className={bar[mark]} />
      ))}
    </span>
  )
}

/** One mark per class of a package, up to 40; a bar that fades for -1 (unlimited). A picture: the number is written above it. */
export function PackageMarks({ classes }: { classes: number }) {
  return (
    <span aria-hidden="true" className="package-marks">
      {classes < 0 ? (
        <i className="endless" />
      ) : (
        Array.from({ length: Math.min(40, classes) }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is nothing but its place
          <i key={at} />
        ))
      )}
    </span>
  )
}

/** How intense a class type is, from 1 to `most`. */
export function Intensity({ value, most = 5 }: { value: number; most?: number }) {
  return (
    <span className="intensity" role="img" aria-label={`Intensidad ${value} de ${most}`}>
      {Array.from({ length: most }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is nothing but its place
        <i key={at} className={at < value ? 'taken' : undefined} />
      ))}
    </span>
  )
}
