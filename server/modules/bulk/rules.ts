/** What a change to many customers does to one of them, decided from facts; the dry run and the job use the same. */
import type { BulkAction, BulkParams } from '#contract/bulk.ts'
import { MAX_CUSTOMER_TAGS } from '#contract/customer-file.ts'
import type { Right } from '#contract/rights.ts'
import type { BulkFacts } from './store.ts'

export const rightFor = (action: BulkAction): Right => (action.startsWith('tags.') ? 'customers.edit' : 'credits.edit')

/** Why one record stays as it is. */
export interface Unchanged {
  code: string
  message: string
}

export const GONE: Unchanged = { code: 'NOT_FOUND', message: 'Ya no existe.' }
export const NOT_ALLOWED: Unchanged = { code: 'FORBIDDEN', message: 'Quien lo empezó ya no tiene permiso.' }
export const CHANGED_SINCE: Unchanged = { code: 'CHANGED_MEANWHILE', message: 'Cambió después, y se queda como está.' }
export const BROKEN: Unchanged = { code: 'INTERNAL', message: 'No se pudo cambiar. Inténtalo de nuevo.' }

const unchanged = (code: string, message: string): Unchanged => ({ code, message })

/** Why a customer would stay as they are; null = they change. */
export function whyUnchanged(action: BulkAction, facts: Omit<BulkFacts, 'customer_id' | 'name'> | undefined): Unchanged | null {
  if (!facts) return GONE
  switch (action) {
    case 'tags.add':
      if (facts.has_tag) return unchanged('TAG_PRESENT', 'Ya tiene la etiqueta.')
      return facts.tags >= MAX_CUSTOMER_TAGS ? unchanged('TAGS_FULL', `Ya tiene ${MAX_CUSTOMER_TAGS} etiquetas.`) : null
    case 'tags.remove':
      return facts.has_tag ? null : unchanged('TAG_ABSENT', 'No tiene la etiqueta.')
    case 'credits.give':
      return null
    case 'credits.extend':
      return facts.expiring ? null : unchanged('NO_CREDITS', 'No tiene clases que venzan.')
    case 'credits.freeze':
      return facts.usable ? null : unchanged('NO_CREDITS', 'No tiene clases que congelar.')
    case 'credits.thaw':
      return facts.frozen ? null : unchanged('NO_CREDITS', 'No tiene clases congeladas.')
  }
}

/** The fields of `params` that an action needs. */
export const NEEDED: Readonly<Record<BulkAction, readonly (keyof BulkParams)[]>> = {
  'tags.add': ['tag_id'],
  'tags.remove': ['tag_id'],
  'credits.give': ['amount', 'expiration_date'],
  'credits.extend': ['days'],
  'credits.freeze': [],
  'credits.thaw': [],
}

/** "Agregar la etiqueta “VIP”": what the job does, in a sentence without its customers. */
export function labelOf(action: BulkAction, params: BulkParams, tag: string | null): string {
  const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
  switch (action) {
    case 'tags.add':
      return `Agregar la etiqueta “${tag}”`
    case 'tags.remove':
      return `Quitar la etiqueta “${tag}”`
    case 'credits.give':
      return `Dar ${plural(params.amount ?? 0, 'clase', 'clases')}`
    case 'credits.extend':
      return `Extender el vencimiento ${plural(params.days ?? 0, 'día', 'días')}`
    case 'credits.freeze':
      return 'Congelar sus clases'
    case 'credits.thaw':
      return 'Descongelar sus clases'
  }
}
