/** Names of coaches as they are shown. */

/** The nick name when non-empty, otherwise the name (S2-3.10). */
export function instructorName(who: { name: string; nick_name: string | null }): string {
  return who.nick_name?.trim() || who.name
}

/** The same with the last name: for titles, long lists and search engines. */
export function instructorFullName(who: { name: string; last_name: string; nick_name: string | null }): string {
  return `${instructorName(who)} ${who.last_name}`.trim()
}
