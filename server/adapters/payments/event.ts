/** Notices whose signature is right: still only what an event of the provider looks like goes on. */
import * as z from 'zod'
import { parseJson } from '#server/platform/json.ts'

/** The name of an event, as it is kept in the inbox. */
export const eventId = z.string().regex(/^[\w:.-]{1,200}$/)

/** An event that was signed. Throws SyntaxError, which the inbox refuses as it does bytes that are no JSON. */
export function eventIn<Event>(shape: z.ZodType<Event>, body: Uint8Array): Event {
  const { value, unkept } = parseJson(Buffer.from(body).toString('utf8'))
  const event = shape.safeParse(value)
  if (unkept !== null || !event.success) throw new SyntaxError('a notice that is no event', { cause: event.error })
  return event.data
}
