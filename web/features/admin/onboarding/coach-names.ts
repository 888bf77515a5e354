/** How a coach is called on the site. */
export const coachLabel = ({ name, last_name, nick_name }: { name: string; last_name: string; nick_name: string | null }): string =>
  nick_name || `${name} ${last_name}`.trim()
