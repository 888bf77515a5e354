/** "Ramos Vela, Guadalupe" and "Guadalupe Ramos Vela": the last two words of three or more are family names. */
export function splitName(full: string): { name: string; last_name: string } {
  const text = full.trim().replace(/\s+/g, ' ')
  const [family, givenName] = text.split(/\s*,\s*/)
  if (givenName) return { name: givenName, last_name: family ?? '' }
  const words = text.split(' ')
  const names = words.length > 2 ? words.length - 2 : 1
  return { name: words.slice(0, names).join(' '), last_name: words.slice(names).join(' ') }
}
