import { idFields } from './field-descriptions/ids-and-instants.ts'
import { moneyFields } from './field-descriptions/money.ts'
import { peopleFields } from './field-descriptions/people.ts'
import { scheduleFields } from './field-descriptions/schedule.ts'
import { siteFields } from './field-descriptions/site.ts'

const ROOMS = [idFields, moneyFields, peopleFields, scheduleFields, siteFields]

/**
 * The description of every field of the API, for the OpenAPI document (server/openapi.ts). A name has the same meaning everywhere;
 * where it does not, the entry is qualified by the field or path that contains it (`allowed_times.from`, `/files.kind`), and a schema's own
 * `.describe()` overrides both. `npm run check` fails while a field has no description. Not for the browser: keep it out of web/.
 */
export const fieldDescriptions: Readonly<Record<string, string>> = Object.assign({}, ...ROOMS)

if (Object.keys(fieldDescriptions).length !== ROOMS.reduce((sum, room) => sum + Object.keys(room).length, 0))
  throw new Error('A field is described in two files of contract/field-descriptions.')
