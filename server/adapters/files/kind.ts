/** Detects a file's type from its first bytes. Its name and the type that the browser claims are ignored. */
import type { FileKind } from '#contract/files.ts'

export interface FileType {
  kind: FileKind
  type: string
  ending: string
}

/** How many bytes `kindOf` needs. */
export const HEAD_BYTES = 4_096

const fileType = (kind: FileKind, type: string, ending: string): FileType => ({ kind, type, ending })

/** The type of a file with these first bytes; null when it is not accepted. */
export function kindOf(head: Uint8Array): FileType | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return fileType('image', 'image/jpeg', 'jpg')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return fileType('image', 'image/png', 'png')
  if (/^GIF8[79]a/.test(text)) return fileType('image', 'image/gif', 'gif')
  if (text.startsWith('RIFF') && text.startsWith('WEBPVP8', 8)) return fileType('image', 'image/webp', 'webp')
  if (text.startsWith('%PDF-')) return fileType('document', 'application/pdf', 'pdf')
  if (text.startsWith('\x1a\x45\xdf\xa3') && text.slice(0, 64).includes('webm')) return fileType('video', 'video/webm', 'webm')
  if (text.slice(4, 8) === 'ftyp') {
    const brands = brandsOf(text)
    if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return fileType('image', 'image/avif', 'avif')
    if (/^(isom|iso[2-9]|mp4[12]|avc1|M4V |dash|MSNV)$/.test(brands[0] ?? '')) return fileType('video', 'video/mp4', 'mp4')
  }
  return null
}

/** Whether it is an iPhone photo (HEIC). Refused with a message of its own, because there is no free decoder. */
export function isHeic(head: Uint8Array): boolean {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString('latin1')
  return text.slice(4, 8) === 'ftyp' && brandsOf(text).some((brand) => /^(?:hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand))
}

/** The major brand of an ISO container, then the compatible ones. */
function brandsOf(text: string): string[] {
  const length = (text.charCodeAt(0) << 24) | (text.charCodeAt(1) << 16) | (text.charCodeAt(2) << 8) | text.charCodeAt(3)
  const box = text.slice(8, Math.max(16, Math.min(length, 256)))
  const brands = [box.slice(0, 4)]
  for (let at = 8; at + 4 <= box.length; at += 4) brands.push(box.slice(at, at + 4))
  return brands
}
