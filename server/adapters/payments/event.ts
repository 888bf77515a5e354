/** Checks the shape of webhook events whose signature is valid. */
import * as z from 'zod'
import { parseJson } from '#server/platform/json.ts'

/** An event's id, as stored in the inbox. */
export const eventId = z.string().regex(/^[\w:.-]{1,200}$/)

/** Parses a signed event. Throws SyntaxError, which the webhook route refuses like invalid JSON. */
export function eventIn<Event>(shape: z.ZodType<Event>, body: Uint8Array): Event {
  const { value, unkept } = parseJson(Buffer.from(body).toString('utf8'))
  const event = shape.safeParse(value)
  if (unkept !== null || !event.success) throw new SyntaxError('a notice that is no event', { cause: event.error })
  return event.data
}
