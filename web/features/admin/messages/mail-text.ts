/** The text of a mail in parts, so that its web addresses can be opened: an address has `href`, other text null. */
export function mailParts(text: string): { text: string; href: string | null }[] {
  // A full stop or bracket after an address ends the sentence, not the address.
  return text
    .split(/(https?:\/\/\S*[^\s.,;:!?)\]}>"'])/)
    .filter(Boolean)
    .map((part) => ({ text: part, href: /^https?:\/\//.test(part) ? part : null }))
}
