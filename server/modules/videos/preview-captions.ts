/** The captions of a film's preview (docs/domain.md, O17, O19). Pure. */

/** When a caption begins: its hours, minutes and seconds. */
const START = /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d\.\d{3})[ \t]+-->/m

/** In seconds; never for a block without a time. */
function startOf(block: string): number {
  const [, hours = '0', minutes, seconds] = START.exec(block) ?? []
  return minutes === undefined ? Number.POSITIVE_INFINITY : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
}

/**
 * The captions that begin before a second, in the WebVTT format with the styles of the whole text; null if there are none. Other blocks
 * (notes) are left out, because they may be about the rest of the film.
 */
export function captionsBefore(text: string, seconds: number): string | null {
  const [header = '', ...blocks] = text.replace(/\r\n?/g, '\n').split(/\n\n+/)
  const styles = blocks.filter((block) => /^(?:STYLE|REGION)[ \t]*\n/.test(block))
  const captions = blocks.filter((block) => startOf(block) < seconds)
  return captions.length > 0 ? [header.split('\n')[0], ...styles, ...captions].join('\n\n') : null
}
