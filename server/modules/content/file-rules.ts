/** Rules of files: ownership, quotas, names, links. Pure: docs/domain.md, "Files". */

import { type Refusal, refuse } from '#contract/errors.ts'
import { CUSTOMER_QUOTA, FILE_KINDS, type FileKind, PROSPECT_QUOTA } from '#contract/files.ts'

/** The caller, as far as files are concerned. */
export interface Asker {
  uid: string
  customer_id: number | null
  reception: boolean
  /** Neither a customer nor staff (yet): a new account. */
  prospect: boolean
}

interface Owned {
  uid: string
  customer_id: number | null
  is_public: boolean
}

/** Whether the caller may see and change a file: their own, or any for staff with `customers.edit` (U2). Other callers get NOT_FOUND. */
export function isTheirs(file: Owned, caller: Asker): boolean {
  return caller.reception || (file.customer_id === null ? file.uid === caller.uid : file.customer_id === caller.customer_id)
}

/** "10 MB" */
const sizeText = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`

/** The largest file that the caller may upload at all, in bytes: videos are for staff (U3). */
export function largestFor(caller: Pick<Asker, 'reception'>): number {
  const kinds: FileKind[] = caller.reception ? ['image', 'document', 'video'] : ['image', 'document']
  return Math.max(...kinds.map((kind) => FILE_KINDS[kind].bytes))
}

/** Why a file of this kind and size is refused (U3). */
export function whyNotKind(kind: FileKind, size: number, caller: Pick<Asker, 'reception'>): Refusal | null {
  if (kind === 'video' && !caller.reception) return refuse('FILE_TYPE')
  return size > FILE_KINDS[kind].bytes ? tooLarge(FILE_KINDS[kind].bytes) : null
}

export function tooLarge(limit: number): Refusal {
  return refuse('FILE_TOO_LARGE', { limit: sizeText(limit) })
}

/** Why one more file exceeds the owner's quota; staff with `customers.edit` have none (U4). */
export function whyNotMore(
  stored: { files: number; bytes: number },
  size: number,
  caller: Pick<Asker, 'reception' | 'prospect'>,
): Refusal | null {
  if (caller.reception) return null
  const quota = caller.prospect ? PROSPECT_QUOTA : CUSTOMER_QUOTA
  return stored.files >= quota.files || stored.bytes + size > quota.bytes ? refuse('FILE_QUOTA') : null
}

/**
 * The display name of a file: the last path segment of the uploaded name, without control characters, with the extension of its real type.
 */
export function fileName(name: string, ending: string): string {
  // Browsers percent-encode quotes and line ends in file names.
  const last =
    name
      .normalize('NFC')
      .replace(/%(22|0d|0a)/gi, '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
  const clean = last.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069"<>|:*?%]/g, '').trim()
  const stem = clean
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replace(/^\.+/, '')
    .slice(0, 110)
    .trim()
  return `${stem || 'archivo'}.${ending}`
}

/** `Content-Disposition`: images and videos are shown inline, everything else is downloaded. */
export function disposition(kind: FileKind, name: string): string {
  const plain = name.normalize('NFD').replace(/[^\x20-\x7e]|["\\]/g, '')
  return `${kind === 'document' ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

const WINDOW = 900_000

/**
 * When a link to a private file expires: in 15 to 30 minutes, rounded so that a browser can cache it for a while, plus `minutes` for videos
 * (U5).
 */
export function opensUntil(now: Date, minutes = 0): Date {
  return new Date((Math.floor(now.getTime() / WINDOW) + 2 + Math.ceil((minutes * 60_000) / WINDOW)) * WINDOW)
}

/** The byte range of a `Range` header; null when the whole file is to be sent, 'none' when the range is outside of it. */
export function parseRange(header: string | undefined, size: number): { start: number; end: number } | null | 'none' {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!found || (found[1] === '' && found[2] === '')) return null
  const [, from = '', to = ''] = found
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end || start >= size ? 'none' : { start, end }
}
