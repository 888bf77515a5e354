/**
 * The timetable as the studio plans it: classes with their conflicts, changes of many classes at once, drafts that only their author sees
 * until they are published, weekly series (docs/domain.md, "Planning the timetable").
 */
import * as z from 'zod'
import { classType, instructor, location } from './catalogue.ts'
import { CHANNELS } from './channels.ts'
import { anyIds, endpoint, id, instant, localDay, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { classFields } from './schedule.ts'

/** The longest range of days that one request reads. */
export const MAX_SCHEDULE_DAYS = 92
/** Changes that one request may carry. */
export const MAX_CHANGES = 1_000
/** Classes that one request may change, create, cancel or delete, with those of their series. */
export const MAX_CHANGED_CLASSES = 1_000
/** The longest a series is planned ahead: classes that a series creates at once. */
export const MAX_SERIES_CLASSES = 400

/** What is wrong with a class. A conflict warns and never refuses. */
export const conflictKind = z.enum([
  'coach_busy',
  'coach_travel',
  'duplicate',
  'no_capacity',
  'capacity_above_map',
  'no_coach',
  'holiday',
  'coach_absent',
  'coach_type',
  'room_taken',
  'outside_hours',
  'no_package',
])
export type ConflictKind = z.infer<typeof conflictKind>

export const classConflict = z.object({
  kind: conflictKind,
  message: z.string(),
  /** The other classes that it is about. */
  with: z.array(id),
})
export type ClassConflict = z.infer<typeof classConflict>

export const plannedState = z.enum(['draft', 'published', 'changed', 'cancelled', 'past'])

/** The series that a draft creates, with the start of its first class. */
const draftSeries = z.object({
  weekdays: z.array(z.int()),
  every_weeks: z.int(),
  until: localDay.nullable(),
  except: z.array(localDay),
  first: instant.describe('Cuándo empieza la primera clase.'),
})

/** A class as the studio plans it. With drafts of the caller, the fields are those that publishing would give it. */
export const plannedClass = z.object({
  /** Null: only a draft so far. */
  single_class_id: id.nullable(),
  /** The caller's draft that it comes from or that changes it; null = as published. */
  class_draft_id: id.nullable(),
  class_series_id: id.nullable(),
  /** Whether it differs from its series because it was changed alone. */
  own_changes: z.boolean(),
  state: plannedState,
  /** The caller's draft: what publishing does to it, and the names of the fields that it changes. */
  draft: z
    .object({
      op: z.enum(['create', 'update', 'cancel', 'delete']),
      fields: z.array(z.string()),
      series: draftSeries.nullable().describe('La serie que crea; null: una sola clase.'),
    })
    .nullable(),
  /** The start on the clocks of its location, written as UTC. */
  class_date: instant,
  starts_at: instant,
  ends_at: instant,
  timezone: z.string(),
  duration_minutes: z.int(),
  class_type: classType
    .pick({ class_type_id: true, name: true, icon: true })
    .extend({ color: z.string().nullable().describe('Su color en el horario; null: ninguno.') }),
  location: location.pick({ location_id: true, name: true }),
  /** The room; null = none. */
  room: z.object({ room_id: id, name: z.string(), exclusive: z.boolean() }).nullable(),
  instructors: z.array(instructor.pick({ instructor_id: true, name: true, last_name: true, nick_name: true, file: true })),
  capacity: z.int().nullable(),
  /** Reserved places, places held for waitlisted customers, waitlist entries, customers marked as attended. */
  taken: z.int(),
  held: z.int(),
  waiting: z.int(),
  arrived: z.int(),
  price: pesosWire.nullable(),
  description: z.string(),
  icon: z.string().nullable(),
  tag_ids: z.array(id),
  class_category_id: id.nullable(),
  class_package_id: id.nullable(),
  spot_map: z.string().nullable(),
  closed_spots: z.array(z.string()),
  /** The coach in whose place the coaches of the class teach (L9). */
  substitutes_for: z.object({ instructor_id: id, name: z.string() }).nullable(),
  cancel_reason: z.string().nullable(),
  conflicts: z.array(classConflict),
  /** When staff last changed it; null for a draft. Sent back as `if_updatedAt`. */
  updatedAt: instant.nullable(),
})
export type PlannedClass = z.infer<typeof plannedClass>

/** Days of the week, 1 = Monday to 7 = Sunday. */
const weekday = z.int().min(1).max(7)

/** How a new class repeats. */
export const seriesSent = z.object({
  weekdays: z
    .array(weekday)
    .min(1)
    .max(7)
    .transform((days) => [...new Set(days)].sort()),
  /** Interval of the series, in weeks. */
  every_weeks: z.int().min(1).max(8).default(1),
  /** The last day; null = without end: a job keeps `schedule_weeks_ahead` weeks on the calendar. */
  until: localDay.nullable(),
  /** Days that it leaves out. */
  except: z.array(localDay).max(60).default([]),
})
export type SeriesSent = z.infer<typeof seriesSent>

/**
 * One change of the timetable. `create` needs `fields`, `update` a class and `fields`, `cancel` and `delete` a class. `scope` extends it to
 * the later classes or all coming classes of the same series; those that were changed alone keep their own values.
 */
export const classChange = z.object({
  op: z.enum(['create', 'update', 'cancel', 'delete']),
  single_class_id: id.nullish(),
  /** The caller's draft that this change replaces. */
  class_draft_id: id.nullish(),
  scope: z.enum(['one', 'following', 'all']).default('one'),
  fields: z.object(classFields).partial().optional(),
  series: seriesSent.nullish(),
  reason: singleLine(300).nullish(),
  /** The `updatedAt` that the change was made from: CHANGED_MEANWHILE if it differs. */
  if_updatedAt: instant.nullish(),
})
export type ClassChange = z.output<typeof classChange>

const count = z.int().min(0)

/** What a set of changes does, or would do in a `dry_run`. */
export const changeResult = z.object({
  created: count,
  changed: count,
  cancelled: count,
  deleted: count,
  /** Number of people who are notified. */
  told: count,
  /** Of them, how many per channel; one person may be in several. Left out when it is 0. */
  told_by: z
    .array(z.object({ channel: z.enum(CHANNELS).describe('Por dónde.'), people: count.describe('A cuántas personas.') }))
    .optional()
    .describe('Por qué medios se les avisa.'),
  /** Reservations that end, guests included, and customers who get a credit back for them. */
  released: count,
  credits_back: count,
  /** Classes of a series that were changed alone and keep their own values: their starts on the location's clocks. */
  untouched: z.array(instant),
  /** Conflicts of the classes concerned that remain. */
  conflicts: z.array(classConflict),
  /** With `partial`: the changes that were left out, by their position. */
  refused: z
    .array(
      z.object({
        index: z.int().describe('Cuál de los cambios enviados, desde 0.'),
        code: z.string().describe('Por qué no se hizo.'),
        message: z.string().describe('La razón en palabras.'),
      }),
    )
    .describe('Con `partial`, los cambios que no se hicieron.'),
  message: z
    .object({
      name: z.string().describe('A quién le llega.'),
      subject: z.string().describe('El asunto del correo.'),
      text: z.string().describe('Lo que dice, un renglón por línea.'),
    })
    .nullable()
    .describe('En un `dry_run` que cancela: el correo de la primera persona con lugar; null: a nadie.'),
  alternatives: z
    .array(
      z.object({
        single_class_id: id.describe('La clase que se cancela.'),
        name: z.string().describe('Su tipo de clase.'),
        class_date: instant,
        others: z
          .array(
            z.object({
              single_class_id: id.describe('Otra clase del mismo tipo con lugar.'),
              class_date: instant,
              location: z.string().describe('Estudio.'),
              places_left: z.int().describe('Lugares libres.'),
            }),
          )
          .describe('Las que ofrece el mensaje, a quien no tenga otra clase a esa hora.'),
      }),
    )
    .describe('En un `dry_run` que cancela: qué se ofrece a quien tenía lugar, de a lo más 10 clases.'),
})
export type ChangeResult = z.infer<typeof changeResult>

const undo = z.object({ undo_id: id, label: z.string(), until: instant })
/** What a set of changes did, or would do. */
export const changeAnswer = z.object({
  /** The classes concerned as they are now, at most 200 of them. */
  classes: z.array(plannedClass),
  result: changeResult,
  /** Drafts of the caller that are left. */
  drafts: count,
  /** How to take it back; null in a `dry_run`, for drafts, and where nothing was changed. */
  undo: undo.nullable(),
})

/** A class that is left out when classes are copied into other weeks, or that is already there. */
export const leftClass = z.object({
  class_date: instant,
  name: z.string().describe('Tipo de clase.'),
  location: z.string().describe('Estudio.'),
  message: z.string().describe('Por qué.'),
})
export type LeftClass = z.infer<typeof leftClass>

/** What putting classes into other weeks does. */
export const placedAnswer = changeAnswer.extend({ left: z.array(leftClass).describe('Clases que no se ponen, y por qué; a lo más 200.') })

const TAG = 'Horario'
export const CHANGE_REFUSALS = [
  ...(['CLASS_NOT_FOUND', 'CLASS_CANCELLED', 'CLASS_STARTED', 'CLASS_HAS_HISTORY', 'NOT_FOUND'] as const),
  ...([
    'CAPACITY_BELOW_TAKEN',
    'SPOTS_IN_USE',
    'ROOM_TAKEN',
    'CHANGED_MEANWHILE',
    'TOO_MANY_CLASSES',
    'SERIES_EMPTY',
    'IDEMPOTENCY_KEY_REUSED',
  ] as const),
] as const

export const studioSchedule = {
  /** Classes of some days with their conflicts and the caller's drafts; default: this week, at most 92 days. */
  read: endpoint('GET', '/admin/schedule', 'staff:classes.own', TAG, 'Horario del estudio')
    .input(
      z.object({
        start_date: localDay.optional(),
        end_date: localDay.optional(),
        location_id: pathId.optional(),
        room_id: pathId.optional(),
        instructor_id: pathId.optional(),
        class_type_id: pathId.optional(),
      }),
    )
    .output(
      z.object({
        days: z.array(
          z.object({
            date: z.string(),
            /** The day without classes that it is, at the locations shown; null = none. */
            holiday: z.object({ name: z.string(), location_ids: z.array(id).nullable() }).nullable(),
            classes: z.array(plannedClass),
          }),
        ),
        totals: z.object({ classes: count, coach_minutes: count, conflicts: count }),
        start_date: z.string(),
        end_date: z.string(),
        today: z.string(),
        drafts: count,
        /** What saving a change does here: the setting `schedule_drafts`. */
        saves_as: z.enum(['draft', 'publish']),
      }),
    ),
  /** Which types of class each coach teaches: those with a list. Planning warns of the others, and offers them last. */
  coaches: endpoint('GET', '/admin/schedule/coaches', 'staff:schedule.edit', TAG, 'Qué clases da cada coach').output(
    z.object({
      coaches: z
        .array(z.object({ instructor_id: id.describe('Coach.'), class_type_ids: z.array(id).describe('Los tipos de clase que da.') }))
        .describe('Coaches que no dan de todo.'),
    }),
  ),
  /**
   * Changes classes in one transaction, all or nothing, or stores the changes as drafts of the caller. `dry_run` returns the effect of
   * publishing them and writes nothing. With `partial` refused cancellations and deletions are left out instead. Customers are always
   * notified of another time or location and of a cancelled class; with `tell: false` not of another coach. The refusal of a change has its
   * position as `index`.
   */
  change: endpoint('POST', '/admin/schedule/changes', 'staff:schedule.edit', TAG, 'Cambiar el horario')
    .input(
      z.object({
        changes: z.array(classChange).min(1).max(MAX_CHANGES),
        as: z.enum(['draft', 'publish']).default('publish'),
        tell: z.boolean().default(true),
        dry_run: z.boolean().default(false),
        partial: z
          .boolean()
          .default(false)
          .describe('Hacer lo que se pueda y decir qué no; solo para cancelar o eliminar clases sueltas, publicando.'),
      }),
    )
    .errors(refusals(...CHANGE_REFUSALS))
    .output(changeAnswer),
  /** Publishes drafts of the caller: those named, or all. */
  publish: endpoint('POST', '/admin/schedule/publish', 'staff:schedule.edit', TAG, 'Publicar los cambios del horario')
    .input(
      z.object({
        class_draft_ids: z.array(id).max(MAX_CHANGES).nullish(),
        tell: z.boolean().default(true),
        dry_run: z.boolean().default(false),
      }),
    )
    .errors(refusals(...CHANGE_REFUSALS))
    .output(changeAnswer),
  /** Discards some drafts of the caller, or all of them. */
  discard: endpoint('DELETE', '/admin/schedule/drafts', 'staff:schedule.edit', TAG, 'Descartar los cambios del horario')
    .input(z.object({ class_draft_id: anyIds(MAX_CHANGES).optional() }))
    .output(z.object({ discarded: count })),
  /**
   * Copies the classes of a week into other weeks, as drafts or published. `on_conflict`: what happens to a class that would meet another
   * one of its coach, or an equal one: it is left out, or copied and marked.
   */
  copy: endpoint('POST', '/admin/schedule/copy', 'staff:schedule.edit', TAG, 'Copiar una semana')
    .input(
      z.object({
        from_week: localDay,
        to_weeks: z.array(localDay).min(1).max(12),
        location_ids: z.array(id).max(100).nullish(),
        with_coaches: z.boolean().default(true),
        on_conflict: z.enum(['skip', 'mark']).default('skip'),
        as: z.enum(['draft', 'publish']).default('draft'),
        dry_run: z.boolean().default(false),
      }),
    )
    .errors(refusals(...CHANGE_REFUSALS))
    .output(
      placedAnswer.extend({
        placed: z.int().describe('Clases que se copian.'),
        /** Starts, on the location's clocks, of classes that were left out because of a conflict or because they would lie in the past. */
        skipped: z.array(instant),
      }),
    ),
  /** Takes back a published set of changes within ten minutes. */
  undo: endpoint('POST', '/admin/undo/{undo_id}', 'staff:schedule.edit', TAG, 'Deshacer un cambio del horario')
    .input(z.object({ undo_id: pathId }))
    .errors(refusals('NOT_FOUND', 'UNDO_TOO_LATE'))
    .output(
      z.object({
        undone: count,
        /** Classes that could not be undone, and why. */
        refused: z.array(z.object({ class_date: instant, name: z.string(), code: z.string(), message: z.string() })),
      }),
    ),
}
