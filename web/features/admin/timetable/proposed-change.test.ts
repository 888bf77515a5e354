import { describe, expect, test } from 'vitest'
import { newForm } from './class-form.ts'
import { proposalText, proposedChangeOf, withProposal } from './proposed-change.ts'

const form = {
  ...newForm({ day: '2026-11-26', hour: '09:30' }, { class_type_id: 1, location_id: 7, minutes: 50, rows: null }),
  capacity: '12',
}
const room = { room_id: 5, location_id: 7, name: 'Grande', capacity: 20, seats: null, spot_map: null, archived: false }
const read = (query: string) => {
  const of = new URLSearchParams(query)
  return proposedChangeOf(of, of.get('hacer'))
}

describe('a change that a link proposes (RE7)', () => {
  test('a larger room brings its places; an hour, or the question for one', () => {
    const larger = read('hacer=cambiar-sala&en=5')
    expect(withProposal(form, larger, [room])).toEqual({ ...form, room_id: '5', capacity: '20' })
    const later = read('hacer=cambiar-hora&hora=19:00')
    expect(withProposal(form, later, [room])).toEqual({ ...form, hour: '19:00' })
    const open = read('hacer=cambiar-hora')
    expect(open).toEqual({ kind: 'hour', hour: null })
    expect(withProposal(form, open, [room])).toEqual(form)
    expect(larger && proposalText(withProposal(form, larger, [room]), larger, [room])).toBe(
      'Propuesta: pasarla a Grande, con 20 lugares. Nada cambia hasta que guardes.',
    )
  })

  test('what cannot be read, a room of another location and one that is archived change nothing', () => {
    for (const query of ['hacer=cambiar-sala&en=0', 'hacer=cambiar-sala&en=x', 'hacer=cancelar&en=5', 'en=5&hora=19:00'])
      expect(read(query), query).toBeNull()
    expect(read('hacer=cambiar-hora&hora=29:00')).toEqual({ kind: 'hour', hour: null })
    const larger = read('hacer=cambiar-sala&en=5')
    for (const other of [
      { ...room, location_id: 8 },
      { ...room, archived: true },
    ]) {
      expect(withProposal(form, larger, [other])).toEqual(form)
      expect(larger && proposalText(form, larger, [other])).toBe('La sala que se proponía ya no está. Elige otra.')
    }
  })
})
