/** Addresses that a visitor may follow or a page may show: a path of ours or http(s), mailto, tel. Never `javascript:` or `data:`. */
export const LINK_PATTERN = /^$|^\/(?!\/)|^https?:\/\/|^mailto:|^tel:/i

/** What a form says beside an address that is none of these. */
export const LINK_MESSAGE = 'Escribe una dirección que empiece con / o con https://'
