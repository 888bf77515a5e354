/** Mis clases: what a coach reads of their own classes (docs/domain.md A13). */
import * as z from 'zod'
import { endpoint, id, instant, localDay } from './endpoint.ts'
import { singleClass } from './schedule.ts'

/** Comments shown to a coach, the latest first. */
export const MY_COMMENTS = 20

export const myClass = singleClass.extend({
  first_timers: z.int().describe('Cuántas personas vienen por primera vez al estudio.'),
})
export type MyClass = z.infer<typeof myClass>

export const myClasses = {
  /** The caller's own classes of at most 42 days, with their ratings of the last year. Never their authors, and no money. */
  read: endpoint('GET', '/admin/my_classes', 'staff:classes.own', 'Calendario', 'Mis clases, para quien las da')
    .input(z.object({ from: localDay, to: localDay }))
    .output(
      z.object({
        classes: z.array(myClass).describe('Por hora; vacía para quien no tiene perfil de coach.'),
        birthdays: z
          .array(z.object({ single_class_id: id, class_date: instant, name: z.string(), last_name: z.string() }))
          .describe('Quiénes tienen un lugar en una de estas clases el día de su cumpleaños.'),
        ratings: z
          .object({
            average: z.number().nullable().describe('Promedio de 1 a 5 del último año, con un decimal; null: nadie ha calificado.'),
            count: z.int().describe('De cuántas calificaciones.'),
            comments: z.array(z.object({ text: z.string(), date: localDay })).describe('Lo que escribieron, sin decir quién.'),
          })
          .describe('Cómo calificaron a quien consulta.'),
      }),
    ),
}
