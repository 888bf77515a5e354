/** At most two letters of a name: its first word and its last one ("Ana Sofía Treviño" is AT). */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase('es-MX') ?? '').join('')
}
