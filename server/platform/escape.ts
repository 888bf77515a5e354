/** Escapes text for HTML and XML. */

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** For text and for attributes in double quotes. */
export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** For HTML, also in attributes in single quotes. */
export const escapeHtml = (text: string): string => escapeXml(text).replaceAll("'", '&#39;')
