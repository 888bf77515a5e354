/** Names of people as they are written in a list. Pure. */

/** Names and surnames of "Ana Sofía López Pérez": of two words the first is the name, of four or more the first two. */
export function splitName(whole: string): { name: string; last_name: string } {
  const words = whole.trim().split(/\s+/)
  const names = words.length > 3 ? 2 : 1
  return { name: words.slice(0, names).join(' '), last_name: words.slice(names).join(' ') }
}

/** How a coach is called on the site. */
export const coachLabel = ({ name, last_name, nick_name }: { name: string; last_name: string; nick_name: string | null }): string =>
  nick_name || `${name} ${last_name}`.trim()
