/** At most two initials of a name: of its first word and its last ("Ana Sofía Treviño" is AT). */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const initialWords = words.length > 1 ? [words[0], words.at(-1)] : words
  return initialWords.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase('es-MX') ?? '').join('')
}
