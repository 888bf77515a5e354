import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { classCategory, classType, instructor, tag } from '#server/modules/catalogue/tables.ts'
import { file } from '#server/modules/content/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { plainText } from '#server/platform/search.ts'
import { instantColumn } from '#server/platform/tables.ts'

export const videoType = pgTable(
  'video_type',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    video_type_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    sort: integer().notNull().default(0),
  },
  (t) => [uniqueIndex('video_type_name').on(t.name)],
)

export const program = pgTable(
  'program',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    program_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    description: text().notNull().default(''),
    image: text(),
    sort: integer().notNull().default(0),
  },
  (t) => [uniqueIndex('program_name').on(t.name)],
)

/** Records that it references (a type, a program, a category) may be removed; the video stays without them (O11). */
export const video = pgTable(
  'video',
  {
    video_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    description: text().notNull().default(''),
    /** In minutes. */
    duration: integer().notNull(),
    /** Searched text: name and description without accents and case (O9). */
    search: text().notNull().generatedAlwaysAs(plainText(sql`name || ' ' || description`)),
    /** URL of an external video, as staff entered it; or `file_id` for one uploaded here. */
    url: text(),
    file_id: integer().references(() => file.file_id, { onDelete: 'set null' }),
    /** A short film that anybody may watch before buying, instead of the first seconds of `file_id` (O17). */
    sample_file_id: integer().references(() => file.file_id, { onDelete: 'set null' }),
    /** WebVTT, of an uploaded file only (O19). */
    captions: text(),
    thumbnail: text(),
    instructor_id: integer().references(() => instructor.instructor_id, { onDelete: 'set null' }),
    video_type_id: integer().references(() => videoType.video_type_id, { onDelete: 'set null' }),
    program_id: integer().references(() => program.program_id, { onDelete: 'set null' }),
    program_order: integer().notNull().default(0),
    class_type_id: integer().references(() => classType.class_type_id, { onDelete: 'set null' }),
    class_category_id: integer().references(() => classCategory.class_category_id, { onDelete: 'set null' }),
    featured: boolean().notNull().default(false),
    available: boolean().notNull().default(true),
    /** Published from this instant. */
    published_at: timestamp(instantColumn).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    index('video_published').on(t.published_at, t.video_id).where(sql`${t.available} and ${t.deletedAt} is null`),
    index('video_program').on(t.program_id, t.program_order),
    index('video_video_type').on(t.video_type_id),
    index('video_instructor').on(t.instructor_id),
    index('video_class_type').on(t.class_type_id),
    index('video_class_category').on(t.class_category_id),
    index('video_file').on(t.file_id),
    index('video_sample_file').on(t.sample_file_id),
    check('video_duration', sql`${t.duration} between 1 and 1440`),
    check('video_sample', sql`${t.sample_file_id} <> ${t.file_id}`),
    check('video_captions', sql`${t.captions} is null or ${t.file_id} is not null or ${t.deletedAt} is not null`),
    check('video_source', sql`${t.url} is not null or ${t.file_id} is not null or ${t.deletedAt} is not null`),
  ],
)

export const videoTag = pgTable(
  'video_tag',
  {
    video_id: integer()
      .notNull()
      .references(() => video.video_id, { onDelete: 'cascade' }),
    tag_id: integer()
      .notNull()
      .references(() => tag.tag_id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.video_id, t.tag_id] }), index('video_tag_tag').on(t.tag_id)],
)

/** Columns of a customer's mark on a video, one row each. */
const marked = () => ({
  customer_id: integer()
    .notNull()
    .references(() => customer.customer_id),
  video_id: integer()
    .notNull()
    .references(() => video.video_id),
})

/** What one customer did with one video: started, completed, where they stopped. */
export const playback = pgTable(
  'playback',
  {
    ...marked(),
    /** The first and the last start; null when they only marked it. */
    startedAt: timestamp(instantColumn),
    lastAt: timestamp(instantColumn),
    completedAt: timestamp(instantColumn),
    /** Second where they stopped, and the length of the film in seconds; null at its beginning and once it is over (O18). */
    position: integer(),
    length: integer(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.video_id] }),
    index('playback_video').on(t.video_id),
    index('playback_unfinished').on(t.customer_id, t.lastAt).where(sql`${t.position} is not null`),
    check('playback_times', sql`(${t.startedAt} is null) = (${t.lastAt} is null) and ${t.lastAt} >= ${t.startedAt}`),
    check('playback_position', sql`(${t.position} is null) = (${t.length} is null) and ${t.position} between 0 and ${t.length}`),
  ],
)

export const favorite = pgTable(
  'favorite',
  {
    ...marked(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.video_id] }), index('favorite_video').on(t.video_id)],
)

export const videoRating = pgTable(
  'video_rating',
  {
    ...marked(),
    stars: smallint().notNull(),
    comment: text().notNull().default(''),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.video_id] }),
    index('video_rating_video').on(t.video_id),
    check('video_rating_stars', sql`${t.stars} between 1 and 5`),
  ],
)
