/** Files: what may be uploaded, where it is served, and the endpoints (spec 2 sections 3, 4 and 7; docs/domain.md, "Files"). */
import * as z from 'zod'
import { done, endpoint, id, pageNumber, pathId, refusals, singleLine } from './endpoint.ts'

/** Side of a thumbnail in pixels (S2-9.12). */
export const THUMBNAIL = 100

const MB = 1_048_576

/** Accepted types, detected from the first bytes and never from the name, and maximum sizes. */
export const FILE_KINDS = {
  image: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'], bytes: 10 * MB },
  document: { types: ['application/pdf'], bytes: 10 * MB },
  /** Staff only: the landing page's video, and online videos. */
  video: { types: ['video/mp4', 'video/webm'], bytes: 60 * MB },
} as const
export type FileKind = keyof typeof FILE_KINDS

/** Maximum number of pixels of an uploaded image (a 50-megapixel camera). */
export const MAX_PIXELS = 52_000_000
/** Larger images are reduced to this longest side. */
export const MAX_SIDE = 2_560
/** Limit of the files of one customer. */
export const CUSTOMER_QUOTA = { files: 40, bytes: 100 * MB } as const
/** Limit for an account that is not a customer yet: enough for the documents of a sign-up. */
export const PROSPECT_QUOTA = { files: 6, bytes: 15 * MB } as const
export const FILES_PER_PAGE = 50
/** The largest sample of a video, and the sentence for a larger one (docs/domain.md, O17). */
export const SAMPLE_MEGABYTES = 20
export const SAMPLE_TOO_LARGE = `La muestra pesa más de ${SAMPLE_MEGABYTES} MB. Basta un clip de 15 segundos.`

/** `accept` of a file field: images, and for documents PDF too. */
export const acceptedTypes = (...kinds: FileKind[]): string => kinds.flatMap((kind) => FILE_KINDS[kind].types).join(',')

export const file = z.object({
  file_id: id,
  name: z.string(),
  type: z.string(),
  /** Public: a path that never changes. Private: a signed path that expires after some minutes; read the file again for a new one. */
  src: z.string(),
  /** 100 x 100, of images only. */
  thumbnail: z.string().nullable(),
  size: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  is_public: z.boolean(),
  customer_id: id.nullable(),
  createdAt: z.string(),
})
export type StoredFile = z.infer<typeof file>

/**
 * Optional data of an upload. For staff: which customer it belongs to, and whether it is public (content); ignored from customers.
 * Without it a file is private to its uploader and to staff.
 */
export const uploadData = z.object({
  name: singleLine(120).optional(),
  customer_id: id.nullish(),
  is_public: z.boolean().optional(),
})
export type UploadData = z.infer<typeof uploadData>

const uploadRefusals = refusals(
  'FILE_TYPE',
  'FILE_HEIC',
  'FILE_TOO_LARGE',
  'FILE_MISSING',
  'FILE_UNREADABLE',
  'FILE_QUOTA',
  'FILE_STORAGE',
  'NO_CUSTOMER',
  'DEVICE_LOCKED',
)

const upload = (path: `/${string}`, summary: string) =>
  endpoint('POST', path, 'identity', 'Archivos', summary)
    .input(z.object({ file: z.file(), data: z.string().max(2_000).optional() }))
    .errors(uploadRefusals)
    .output(z.object({ file_id: id, file }))

export const files = {
  /**
   * The caller's own files, newest first; staff with the right get all, or those of a customer. `customer_id` from others is ignored
   * (S2-7.01).
   */
  list: endpoint('GET', '/files', 'identity', 'Archivos', 'Archivos')
    .input(
      z.object({ page: pageNumber.default(1), kind: z.enum(['image', 'document', 'video']).optional(), customer_id: pathId.optional() }),
    )
    .errors(refusals('DEVICE_LOCKED'))
    .output(z.object({ files: z.array(file), total: z.int(), pages: z.int() })),
  /** The caller's own file, or any for staff. */
  one: endpoint('GET', '/files/{file_id}', 'identity', 'Archivos', 'Un archivo')
    .input(z.object({ file_id: pathId }))
    .errors(refusals('NOT_FOUND', 'DEVICE_LOCKED'))
    .output(z.object({ file })),
  /** multipart/form-data: `file`, optionally `data` as JSON. The setting `files_location` decides where it is stored (S2-4.30, S2-4.31). */
  upload: upload('/files', 'Subir un archivo'),
  /** The same; exists because the spec lists it. */
  uploadS3: upload('/files/s3', 'Subir un archivo (almacenamiento en la nube)'),
  /** Renames a file. Its visibility cannot be changed: upload it again for that. */
  update: endpoint('PUT', '/files', 'identity', 'Archivos', 'Cambiar el nombre de un archivo')
    .input(z.object({ file_id: id, name: singleLine(120).min(1) }))
    .errors(refusals('NOT_FOUND', 'DEVICE_LOCKED'))
    .output(z.object({ file })),
  /** IN_USE: a page, a coach, a package, a profile or a form answer refers to it. */
  remove: endpoint('DELETE', '/files/{file_id}', 'identity', 'Archivos', 'Eliminar un archivo')
    .input(z.object({ file_id: pathId }))
    .errors(refusals('NOT_FOUND', 'IN_USE', 'DEVICE_LOCKED'))
    .output(done),
}
