/** First steps in the browser: a pasted timetable, a painted week, the colours of a logo (docs/domain.md, "First steps"). */
import { describe, expect, test } from 'vitest'
import { contrast } from '#contract/color.ts'
import { coloursOfLogo } from './logo-colours.ts'
import { readPastedWeek } from './pasted-week.ts'
import { countClasses, listTimes, missingNames, type PaintedClass, painted, shortName, toClassChanges, toSeries } from './week-painting.ts'

const known = { types: ['Ciclo 45', 'Reformer', 'Reformer intenso', 'Barre'], coaches: ['Sofía Luna', 'Ana', 'Íñigo Paz'] }
const read = (text: string) => readPastedWeek(text, known)
const short = (text: string) => read(text).classes.map(({ day, time, type, coach }) => `${day} ${time} ${type} / ${coach ?? '-'}`)

describe('a pasted timetable', () => {
  test('a line for each class, as people write it', () => {
    expect(short('lunes 7:00 Reformer Ana')).toEqual(['1 07:00 Reformer / Ana'])
    expect(short('Lun 7:00 Ciclo Sofía Luna')).toEqual(['1 07:00 Ciclo 45 / Sofía Luna'])
    expect(short('MAR 19:15 reformer intenso con iñigo paz')).toEqual(['2 19:15 Reformer intenso / Íñigo Paz'])
    expect(short('Sáb. 9 am Barre (Ximena)')).toEqual(['6 09:00 Barre / Ximena'])
    expect(short('jueves 6:30 pm Yoga - Mariana')).toEqual(['4 18:30 Yoga / Mariana'])
    expect(short('vie 7:00-7:50 Barre')).toEqual(['5 07:00 Barre / -'])
    expect(short('dom 10:00 hrs Ciclo 45')).toEqual(['7 10:00 Ciclo 45 / -'])
  })
  test('several days and hours in a line', () => {
    expect(short('Lun, mié y vie 7:00 Barre Ana')).toEqual(['1 07:00 Barre / Ana', '3 07:00 Barre / Ana', '5 07:00 Barre / Ana'])
    expect(short('lunes a miércoles 7:00 y 8:15 Barre')).toHaveLength(6)
    expect(short('Lun-Vie 20:30 Barre')).toHaveLength(5)
  })
  test('days as headings', () => {
    expect(short('*Lunes*\n7:00 Barre Ana\n8:15 Reformer\n\nMartes:\n• 18:00 Ciclo Sofía')).toEqual([
      '1 07:00 Barre / Ana',
      '1 08:15 Reformer / -',
      '2 18:00 Ciclo 45 / Sofía Luna',
    ])
  })
  test('a table of a spreadsheet is read as a timetable', () => {
    expect(short('Hora\tLunes\tMartes\tMiércoles\n7:00\tBarre Ana\t\tReformer\n18:00\t\tCiclo con Sofía Luna\t')).toEqual([
      '1 07:00 Barre / Ana',
      '3 07:00 Reformer / -',
      '2 18:00 Ciclo 45 / Sofía Luna',
    ])
  })
  test('says which lines it could not read, and reads the others', () => {
    const { classes, problems } = read('7:00 Barre\nLunes Barre Ana\nLunes 7:00\nlunes 25:00 Barre\nlunes 8:00 Barre')
    expect(classes).toHaveLength(1)
    expect(problems.map(({ line, why }) => `${line} ${why}`)).toEqual([
      '1 Falta el día.',
      '2 Falta la hora.',
      '3 Falta la clase.',
      '4 Falta la hora.',
    ])
  })
})

describe('a painted week', () => {
  const cell = (day: number, time: string, type = 'Barre', coach: string | null = 'Ana'): PaintedClass => ({
    day,
    time,
    type,
    coach,
    location_id: 1,
  })
  const week = [cell(1, '07:00'), cell(3, '07:00'), cell(1, '18:00', 'Ciclo 45', null)]
  const span = { start: '2026-11-24', weeks: 8, except: ['2026-12-25', '2027-01-01', '2026-12-09'] }

  test('a class replaces what is at its place; the hours of the classes are rows', () => {
    expect(painted(week, cell(1, '07:00', 'Reformer'))).toHaveLength(3)
    expect(listTimes(week, ['09:30'])).toEqual(['07:00', '09:30', '18:00'])
    expect(shortName('Reformer Flow')).toBe('Rf')
    expect(shortName('Barre')).toBe('Ba')
  })
  test('becomes one series for each class, coach and hour, from the first of its days on', () => {
    expect(toSeries(week).map(({ type, days }) => [type, days])).toEqual([
      ['Barre', [1, 3]],
      ['Ciclo 45', [1]],
    ])
    const rooms = new Map([[1, { room_id: 4, capacity: 12, spot_map: null }]])
    const records = { types: [{ class_type_id: 7, name: 'barre' }], coaches: [{ instructor_id: 3, label: 'Ana' }], rooms }
    // Ciclo has no record yet.
    expect(toClassChanges(week, span, records)).toEqual([
      {
        op: 'create',
        fields: { class_type_id: 7, location_id: 1, class_date: '2026-11-25T07:00:00Z', instructor_ids: [3], capacity: 12, room_id: 4 },
        series: { weekdays: [1, 3], every_weeks: 1, until: '2027-01-18', except: [...span.except] },
      },
    ])
    expect(missingNames(week, records)).toEqual({ types: ['Ciclo 45'], coaches: [] })
  })
  test('counts without the days that are left out', () => {
    // Of the three days only 9 December is a day of the week: a Wednesday.
    expect(countClasses(week, span)).toBe(23)
  })
  test('repeats without end when no number of weeks is chosen', () => {
    const rooms = new Map([[1, { room_id: 4, capacity: 12, spot_map: null }]])
    const records = { types: [{ class_type_id: 7, name: 'barre' }], coaches: [{ instructor_id: 3, label: 'Ana' }], rooms }
    const endless = { ...span, weeks: null }
    expect(countClasses(week, endless)).toBe(null)
    expect(toClassChanges(week, endless, records)[0]?.series).toMatchObject({ until: null, except: [...span.except] })
  })
})

describe('the colours of a logo', () => {
  const pixels = (...parts: [number, number[]][]) =>
    parts.flatMap(([times, rgb]) => Array.from({ length: times }, () => [...rgb, 255]).flat())
  test('its strong colours, and grounds on which they can be read', () => {
    const colours = coloursOfLogo(pixels([300, [255, 255, 255]], [200, [14, 110, 120]], [40, [242, 193, 78]]))
    expect(colours).toMatchObject({ primary: '#0e6e78', accent: '#f2c14e' })
    expect(contrast(colours?.dark ?? '', colours?.light ?? '')).toBeGreaterThan(9)
    for (const hex of Object.values(colours ?? {})) expect(hex).toMatch(/^#[0-9a-f]{6}$/)
  })
  test('one colour gets a second one that differs', () => {
    const colours = coloursOfLogo(pixels([50, [168, 69, 43]]))
    expect(colours?.primary).toBe('#a8452b')
    expect(contrast(colours?.accent ?? '', colours?.primary ?? '')).toBeGreaterThan(1.5)
  })
  test('black, white, gray and transparent pixels suggest nothing', () => {
    expect(coloursOfLogo(pixels([9, [0, 0, 0]], [9, [128, 128, 128]]))).toBeNull()
    expect(coloursOfLogo([255, 0, 0, 0])).toBeNull()
  })
})
