import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '#web/lib/api.ts'
import { Select } from '#web/ui/field.tsx'
import type { ClassForm } from './class-form.ts'

/** Category, special event and tags: what few classes have. */
export function ClassMoreFields({ form, set }: { form: ClassForm; set: (changes: Partial<ClassForm>) => void }) {
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const categories = useQuery(queries.catalogue.classCategories.queryOptions(lists)).data?.class_categories ?? []
  const events = useQuery(queries.catalogue.especialesAll.queryOptions(lists)).data?.class_packages ?? []
  const tags = useQuery(queries.catalogue.tags.queryOptions({ input: { type: 'class' }, ...lists })).data?.tags ?? []
  const [wasOpen] = useState(form.category !== '' || form.event !== '' || form.tags.length > 0)
  if (categories.length + events.length + tags.length === 0) return null
  return (
    <details className="plan-fields-more" open={wasOpen}>
      <summary>Categoría, evento y etiquetas</summary>
      <div className="stack gap-12">
        {(categories.length > 0 || form.category !== '') && (
          <Select label="Categoría" optional value={form.category} onChange={(event) => set({ category: event.currentTarget.value })}>
            <option value="">Ninguna</option>
            {withChosen(
              categories.map((category) => ({ value: String(category.class_category_id), label: category.name })),
              form.category,
            )}
          </Select>
        )}
        {(events.length > 0 || form.event !== '') && (
          <Select
            label="Se vende como evento"
            optional
            hint="Solo se reserva comprando ese paquete."
            value={form.event}
            onChange={(event) => set({ event: event.currentTarget.value })}
          >
            <option value="">No, con créditos</option>
            {withChosen(
              events.map((event) => ({ value: String(event.class_package_id), label: event.title })),
              form.event,
            )}
          </Select>
        )}
        {tags.length > 0 && (
          <fieldset className="plan-tags">
            <legend className="field-label">Etiquetas</legend>
            {tags.map(({ tag_id, name }) => {
              const id = String(tag_id)
              const isOn = form.tags.includes(id)
              return (
                <button
                  key={id}
                  type="button"
                  className={`chip ${isOn ? 'chip-on' : ''}`}
                  aria-pressed={isOn}
                  onClick={() => set({ tags: isOn ? form.tags.filter((tag) => tag !== id) : [...form.tags, id] })}
                >
                  {name}
                </button>
              )
            })}
          </fieldset>
        )}
      </div>
    </details>
  )
}

/** Options, with the chosen one where it is no longer offered. */
const withChosen = (options: readonly { value: string; label: string }[], chosen: string) =>
  [
    ...options,
    ...(chosen !== '' && options.every(({ value }) => value !== chosen) ? [{ value: chosen, label: 'Ya no se ofrece' }] : []),
  ].map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
