/** Words about videos that more than one page says. */

/** At most `limit` characters with the dots that say there is more, cut at a word where there is one. */
export function cutAtWord(text: string, limit: number): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()]
  if (letters.length <= limit) return letters.join('')
  const room = letters.slice(0, limit).join('')
  const edge = room.lastIndexOf(' ')
  const kept = edge > 0 ? room.slice(0, edge) : letters.slice(0, limit - 1).join('')
  return `${kept.replace(/[\s,;:.·–-]+$/, '')}…`
}
