/** Schemas of URL fields, for every record and setting that has one. Incomplete URLs are refused. */
import * as z from 'zod'
import { isLink, isWebAddress, LINK_MESSAGE, WEB_ADDRESS_MESSAGE } from './link.ts'

const typed = z.string().trim().max(2_000)

/** A URL that can be followed or shown, or ''. */
export const link = typed.refine((text) => text === '' || isLink(text), LINK_MESSAGE)

/** The same, required. */
export const requiredLink = typed.refine(isLink, LINK_MESSAGE)

/** An absolute https:// URL, or ''. */
export const secureLink = typed.refine((text) => text === '' || (/^https:/i.test(text) && isWebAddress(text)), WEB_ADDRESS_MESSAGE)

/** The base URL of files: http(s) without query and fragment, or ''. */
export const baseAddress = typed.refine((text) => text === '' || (isWebAddress(text) && !/[?#]/.test(text)), WEB_ADDRESS_MESSAGE)
