/** Plantillas: named weeks of the timetable, applied to other weeks (docs/domain.md L20, L21). */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { MAX_TEMPLATE_CLASSES, type ScheduleTemplate, type scheduleTemplates as wire } from '#contract/schedule-templates.ts'
import { addDays, isoWeekday, mondayOf } from '#contract/time.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { wallDay } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { copyIntoWeeks, savePlaced } from './planning.ts'
import { classFields, factsOfFields, type PlannedFacts, type TemplateClass } from './rules.ts'
import {
  deleteTemplate,
  findTemplate,
  insertTemplate,
  isNameTaken,
  listTemplateRows,
  lockTemplate,
  type TemplateRow,
  updateTemplate,
} from './template-store.ts'
import { Names, readPlanned } from './timetable-view.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type Answer<K extends keyof typeof wire> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>

/** A Monday: templates have no dates, so their classes are laid into this week to be compared and copied like those of any other. */
const MONDAY = '2001-01-01'
const LISTED = 200

/** The classes of a template in the week of `MONDAY`; those whose type or location is not known any more are left out. */
function factsOf({ classes }: Pick<TemplateRow, 'classes'>, names: Names): PlannedFacts[] {
  return classes.flatMap(({ weekday, hour, fields }) => {
    const class_date = `${addDays(MONDAY, weekday - 1)}T${hour}:00.000Z`
    return factsOfFields({ ...fields, class_date }, names) ?? []
  })
}

function serialize(ctx: Ctx, row: TemplateRow, names: Names): ScheduleTemplate {
  const { schedule_template_id, name, updatedAt } = row
  const shown = factsOf(row, names)
    .filter((cls) => ctx.worksAt(cls.location_id))
    .sort((a, b) => a.wall.getTime() - b.wall.getTime())
  return {
    schedule_template_id,
    name,
    updatedAt: updatedAt.toISOString(),
    classes: shown.map((cls) => ({
      weekday: isoWeekday(wallDay(cls.wall)),
      hour: cls.wall.toISOString().slice(11, 16),
      duration_minutes: cls.minutes,
      class_type: names.type(cls.class_type_id),
      location: names.location(cls.location_id),
      room: names.room(cls.room_id ?? 0)?.name ?? null,
      instructors: cls.coach_ids.map((id) => names.coach(id)),
      gone: names.isGone(cls),
    })),
  }
}

/** Whether the caller sees a template: it has a class at a location where they work, or none at all. */
const isShown = (ctx: Ctx, { classes }: Pick<TemplateRow, 'classes'>): boolean =>
  classes.length === 0 || classes.some(({ fields }) => ctx.worksAt(fields.location_id))

/** The locations of a template's classes, by which its entries of the audit trail are read (Y4). */
const locationsOf = (classes: readonly TemplateClass[]): number[] =>
  [...new Set(classes.map(({ fields }) => fields.location_id))].sort((a, b) => a - b)

/** GET /admin/schedule_templates. Of other locations' classes and templates nothing is shown. */
export async function listTemplates(ctx: Ctx): Answer<'list'> {
  const [names, rows] = await Promise.all([Names.read(ctx, ctx.db), listTemplateRows(ctx.db)])
  return { templates: rows.filter((row) => isShown(ctx, row)).map((row) => serialize(ctx, row, names)) }
}

/** POST /admin/schedule_templates. ALREADY_EXISTS, TEMPLATE_EMPTY, TOO_MANY_CLASSES. */
export async function createTemplate(ctx: Ctx, input: Input<'create'>): Answer<'create'> {
  const { name } = input
  const id = await ctx.once('templates.create', input, async (tx) => {
    const classes = await classesOfWeek(tx, ctx, input.from_week, input.location_ids)
    if (await isNameTaken(tx, name, 0)) throw refuse('ALREADY_EXISTS', { field: 'name' })
    const row = await insertTemplate(tx, { name, classes }, ctx.now)
    await ctx.audit(tx, {
      action: 'schedule_template.create',
      entity: 'schedule_template',
      entity_id: row.schedule_template_id,
      after: { name, classes: classes.length, location_ids: locationsOf(classes) },
    })
    return row.schedule_template_id
  })
  return { template: await oneTemplate(ctx, id) }
}

/**
 * PUT /admin/schedule_templates/{schedule_template_id}. NOT_FOUND, FORBIDDEN for classes of others' locations, CHANGED_MEANWHILE, and
 * as creating.
 */
export async function changeTemplate(ctx: Ctx, input: Input<'update'>): Answer<'update'> {
  const { schedule_template_id, if_updatedAt } = input
  await ctx.tx(async (tx) => {
    const before = await lockOwn(tx, ctx, schedule_template_id)
    await assertUnchanged(tx, ctx, { entity: 'schedule_template', id: schedule_template_id, updatedAt: before.updatedAt }, if_updatedAt)
    const name = input.name ?? before.name
    const classes = input.from_week === undefined ? before.classes : await classesOfWeek(tx, ctx, input.from_week, input.location_ids)
    if (await isNameTaken(tx, name, schedule_template_id)) throw refuse('ALREADY_EXISTS', { field: 'name' })
    await updateTemplate(tx, schedule_template_id, { name, classes }, ctx.now)
    await ctx.audit(tx, {
      action: 'schedule_template.change',
      entity: 'schedule_template',
      entity_id: schedule_template_id,
      before: { name: before.name, classes: before.classes.length, location_ids: locationsOf(before.classes) },
      after: { name, classes: classes.length, location_ids: locationsOf(classes) },
    })
  })
  return { template: await oneTemplate(ctx, schedule_template_id) }
}

/** DELETE /admin/schedule_templates/{schedule_template_id}. NOT_FOUND, FORBIDDEN for classes of others' locations. */
export async function removeTemplate(ctx: Ctx, { schedule_template_id }: Input<'remove'>): Answer<'remove'> {
  return ctx.tx(async (tx) => {
    const { name, classes } = await lockOwn(tx, ctx, schedule_template_id)
    await deleteTemplate(tx, schedule_template_id)
    await ctx.audit(tx, {
      action: 'schedule_template.remove',
      entity: 'schedule_template',
      entity_id: schedule_template_id,
      before: { name, classes: classes.length, location_ids: locationsOf(classes) },
    })
    return { ok: true as const }
  })
}

/**
 * POST /admin/schedule_templates/{schedule_template_id}/apply. Creates only classes of the locations where the caller works. NOT_FOUND, and
 * as changes.
 */
export async function applyTemplate(ctx: Ctx, input: Input<'apply'>): Answer<'apply'> {
  const [names, row] = await Promise.all([Names.read(ctx, ctx.db), findTemplate(ctx.db, input.schedule_template_id)])
  if (!row || !isShown(ctx, row)) throw refuse('NOT_FOUND')
  const source = factsOf(row, names).filter((cls) => ctx.worksAt(cls.location_id))
  const { changes, left, same, others } = await copyIntoWeeks(ctx, names, source, { ...input, from: MONDAY, same: 'skip' })
  const answer = await savePlaced(ctx, changes, input)
  // Equal classes are counted, not listed.
  const listed = left.filter(({ message }) => message !== 'Ya está.').slice(0, LISTED)
  return { ...answer, placed: changes.length, left: listed, same, others: others.slice(0, LISTED) }
}

async function oneTemplate(ctx: Ctx, schedule_template_id: number): Promise<ScheduleTemplate> {
  const [names, row] = await Promise.all([Names.read(ctx, ctx.db), findTemplate(ctx.db, schedule_template_id)])
  if (!row) throw refuse('NOT_FOUND')
  return serialize(ctx, row, names)
}

async function lockOwn(tx: Tx, ctx: Ctx, schedule_template_id: number): Promise<TemplateRow> {
  const row = await lockTemplate(tx, schedule_template_id)
  if (!row) throw refuse('NOT_FOUND')
  for (const { fields } of row.classes) ctx.requireLocation('schedule.edit', fields.location_id)
  return row
}

/** The published classes of a week, as a template keeps them. */
async function classesOfWeek(tx: Tx, ctx: Ctx, day: string, location_ids: readonly number[] | null): Promise<TemplateClass[]> {
  const monday = mondayOf(day)
  for (const location_id of location_ids ?? []) ctx.requireLocation('schedule.edit', location_id)
  const names = await Names.read(ctx, tx)
  const classes = (await readPlanned(tx, names, { start: monday, end: addDays(monday, 6), zone: ctx.zone })).filter(
    (cls) => !cls.cancelled && ctx.worksAt(cls.location_id) && (location_ids?.includes(cls.location_id) ?? true),
  )
  if (classes.length === 0) throw refuse('TEMPLATE_EMPTY')
  if (classes.length > MAX_TEMPLATE_CLASSES) throw refuse('TOO_MANY_CLASSES', { most: MAX_TEMPLATE_CLASSES })
  return classes.map((cls) => {
    // The substituted coach, not the substitute of that week.
    const usual = cls.substitutes_for !== null && cls.coach_ids.length === 1 ? [cls.substitutes_for] : cls.coach_ids
    const { class_date: _, ...fields } = classFields({ ...cls, coach_ids: usual })
    return { weekday: isoWeekday(wallDay(cls.wall)), hour: cls.wall.toISOString().slice(11, 16), fields }
  })
}
