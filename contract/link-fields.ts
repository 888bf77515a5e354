/** The fields of addresses, for every record and setting that has one: what is half typed is refused where it is typed. */
import * as z from 'zod'
import { isLink, isWebAddress, LINK_MESSAGE, WEB_ADDRESS_MESSAGE } from './link.ts'

const typed = z.string().trim().max(2_000)

/** An address that a visitor may follow or be shown, or nothing. */
export const link = typed.refine((text) => text === '' || isLink(text), LINK_MESSAGE)

/** The same, of which there has to be one. */
export const requiredLink = typed.refine(isLink, LINK_MESSAGE)

/** A whole address that begins with https://, or nothing. */
export const secureLink = typed.refine((text) => text === '' || (/^https:/i.test(text) && isWebAddress(text)), WEB_ADDRESS_MESSAGE)

/** What stands before the path of a file: http(s) without query and fragment, or nothing. */
export const baseAddress = typed.refine((text) => text === '' || (isWebAddress(text) && !/[?#]/.test(text)), WEB_ADDRESS_MESSAGE)
