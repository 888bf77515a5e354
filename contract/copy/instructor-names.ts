/** Names of coaches as they are shown. */

/** The nick name when non-empty, otherwise the name (S2-3.10). */
export function instructorName(instructor: { name: string; nick_name: string | null }): string {
  return instructor.nick_name?.trim() || instructor.name
}

/** The same with the last name: for titles, long lists and search engines. */
export function instructorFullName(instructor: { name: string; last_name: string; nick_name: string | null }): string {
  return `${instructorName(instructor)} ${instructor.last_name}`.trim()
}
