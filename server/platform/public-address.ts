/**
 * Which network addresses may be sent to that others named: those of the public internet, so that no such address reaches the studio's
 * own network.
 */
import { BlockList, isIP } from 'node:net'

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')

/** Of IPv6 only global unicast (2000::/3) is public; these parts of it carry an IPv4 address or are for documentation. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')
const EMBEDDED = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  EMBEDDED.addSubnet(net, bits, 'ipv6')

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !PRIVATE.check(address, 'ipv4')
  return kind === 6 && GLOBAL.check(address, 'ipv6') && !EMBEDDED.check(address, 'ipv6')
}

const isLoopback = (address: string): boolean => address === '127.0.0.1' || address === '::1'

/**
 * Why nothing may be sent to an address (URL); null when it may. A host that is a name is resolved and checked when a message is sent.
 * `allowLoopback`: development and tests may send to this machine, also with http.
 */
export function whyNotUrl(text: string, allowLoopback: boolean): string | null {
  const url = URL.parse(text)
  if (!url) return 'Escribe una dirección completa, como https://ejemplo.mx/avisos.'
  const host = hostOf(url)
  const isLocal = allowLoopback && (isLoopback(host) || host === 'localhost')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) return 'La dirección debe empezar con https://.'
  if (url.username || url.password) return 'La dirección no puede llevar usuario ni contraseña.'
  if (isIP(host) && !isPublicAddress(host) && !isLocal) return 'Esa dirección es de una red privada.'
  if (!isIP(host) && !host.includes('.') && !isLocal) return 'Esa dirección no está en internet.'
  return null
}

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Whether a message may go to a resolved address. */
export const mayReach = (address: string, allowLoopback: boolean): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopback(address))
