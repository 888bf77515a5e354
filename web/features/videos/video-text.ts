/** Texts about videos that several pages use. */

/** "Te quedan 12 min" of a video of `duration` minutes, after so much of its film. */
export function remainingText(duration: number, { position, length }: { position: number; length: number }): string {
  const minutes = Math.ceil(duration * (1 - position / length))
  return minutes <= 1 ? 'Te queda 1 min' : `Te quedan ${minutes} min`
}

/** Shortens a text to at most `limit` characters, with an ellipsis, at a word boundary if there is one. */
export function cutAtWord(text: string, limit: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  if (characters.length <= limit) return characters.join('')
  const start = characters.slice(0, limit).join('')
  const edge = start.lastIndexOf(' ')
  const shortened = edge > 0 ? start.slice(0, edge) : characters.slice(0, limit - 1).join('')
  return `${shortened.replace(/[\s,;:.·–-]+$/, '')}…`
}
