/** Pay rules as the administration edits them, in the shape of the plain lists. */
import { formatPesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import {
  apiCalls,
  type CatalogueList,
  type CatalogueRecord,
  joinFacts,
  type ListField,
  text,
} from '#web/features/admin/catalogue/catalogue-lists.ts'
import { api, queries } from '#web/lib/api.ts'

interface Choice {
  value: string
  label: string
}

const isZero = (amount: unknown): boolean => Number(amount) === 0

/** The list of rules, with the coaches, types of class and locations to choose from. `today`: the first day of a new rule. */
export function payRuleList(
  choices: { coaches: readonly Choice[]; types: readonly Choice[]; locations: readonly Choice[] },
  today: string,
): CatalogueList {
  const named = (options: readonly Choice[], id: unknown) => options.find(({ value }) => value === text(id))?.label ?? ''
  const scope = (key: string, label: string, options: readonly Choice[], hint: string): ListField => {
    return { key, label, hint, options, kind: 'select', isNumber: true }
  }
  const money = (key: string, label: string, hint: string): ListField => ({ key, label, hint, kind: 'money', required: true, initial: '0' })
  return {
    slug: 'reglas',
    title: 'Reglas de pago',
    add: 'Nueva regla',
    one: 'Regla de pago',
    thisOne: 'esta regla de pago',
    idKey: 'pay_rule_id',
    empty: 'Una regla dice cuánto se paga por clase. Empieza con una para todos los coaches.',
    fields: [
      scope('instructor_id', 'Coach', choices.coaches, 'Sin elegir: todos. La regla más exacta es la que cuenta.'),
      scope('class_type_id', 'Tipo de clase', choices.types, 'Sin elegir: todos.'),
      scope('location_id', 'Estudio', choices.locations, 'Sin elegir: todos.'),
      { key: 'from_day', label: 'Desde', kind: 'date', required: true, initial: today },
      { key: 'base', label: 'Por clase', kind: 'money', required: true },
      money('per_person', 'Más por persona', 'Por cada persona que llega.'),
      { key: 'per_person_from', label: 'A partir de la persona', kind: 'number', required: true, initial: '1' },
      { key: 'steps', label: 'Escalones', kind: 'steps', hint: 'Con tantas personas se paga esto en lugar de lo de por clase.' },
      money('full_bonus', 'Más si se llena', 'Cuando no quedó ningún lugar.'),
      {
        key: 'percent',
        label: 'Por ciento de lo reconocido',
        kind: 'percent',
        hint: 'De lo que valen los lugares de la clase, sin IVA.',
        initial: '0',
      },
      money('minimum', 'Mínimo por clase', 'Lo menos que se paga por una clase dada.'),
      { key: 'private', label: 'Clase privada', kind: 'money', hint: 'De un solo lugar. Vacío: como las demás.' },
      {
        key: 'substitute',
        label: 'Si suple a alguien',
        kind: 'select',
        required: true,
        initial: 'own',
        options: [
          { value: 'own', label: 'Cobra con su regla' },
          { value: 'theirs', label: 'Cobra con la de quien falta' },
        ],
      },
      {
        key: 'late_cancel_hours',
        label: 'Cancelar sin pagar hasta',
        kind: 'number',
        required: true,
        initial: '0',
        hint: 'Horas antes de la clase.',
      },
      {
        key: 'late_cancel_percent',
        label: 'Si el estudio cancela después',
        kind: 'percent',
        initial: '0',
        hint: 'Qué parte de lo de por clase se paga.',
      },
    ],
    recordName: (row) =>
      joinFacts(
        named(choices.coaches, row.instructor_id) || 'Todos los coaches',
        named(choices.types, row.class_type_id),
        named(choices.locations, row.location_id),
      ),
    about: (row) =>
      joinFacts(
        `${formatPesos(text(row.base))} por clase`,
        !isZero(row.per_person) && `${formatPesos(text(row.per_person))} desde la persona ${text(row.per_person_from)}`,
        (row.steps as unknown[] | undefined)?.length ? 'Con escalones' : '',
        !isZero(row.full_bonus) && `${formatPesos(text(row.full_bonus))} si se llena`,
        !isZero(row.percent) && `${text(row.percent)} % de lo reconocido`,
        `Desde el ${formatWall(`${text(row.from_day)}T00:00:00Z`, 'date')}`,
      ),
    query: () => queries.payRules.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { pay_rules: CatalogueRecord[] }).pay_rules,
    ...apiCalls({
      create: api.payRules.create,
      update: api.payRules.update,
      remove: (pay_rule_id) => api.payRules.remove({ pay_rule_id }),
    }),
    saved: 'Guardado.',
    removed: 'Eliminado.',
  }
}
