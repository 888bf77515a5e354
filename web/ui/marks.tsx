import { layoutMarks, type Mark } from './marks-count.ts'
import './marks.css'

interface MarksProps {
  capacity: number
  taken: number
  /** how many of the taken places are the viewer's, or how many people have arrived */
  mine?: number
  /** maximum number of bars: 12 on desktop cards, 10 on phone rows, up to 20 elsewhere */
  most?: number
  size?: 'small' | 'normal' | 'big'
}

const bar: Record<Mark, string | undefined> = { taken: 'taken', mine: 'mine', free: undefined }

/** The occupancy meter: one bar per place. Hidden from screen readers, because the text beside it gives the number. */
export function Marks({ capacity, taken, mine = 0, most = 20, size = 'normal' }: MarksProps) {
  const { marks, few } = layoutMarks({ capacity, taken, mine, most })
  return (
    <span aria-hidden="true" className={`marks ${few ? 'marks-few' : ''} ${size === 'normal' ? '' : `marks-${size}`}`}>
      {marks.map((mark, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is nothing but its place
        <i key={at} className={bar[mark]} />
      ))}
    </span>
  )
}

/**
 * One mark per class of a package, up to 40; for -1 (unlimited) a bar that fades out. Hidden from screen readers: the number is
 * written above.
 */
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

/** The intensity of a class type, from 1 to `most`. */
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
