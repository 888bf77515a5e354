/** The reports of people, limited to a segment: what each says of two halves is what it says of everybody. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReportKey } from '#contract/copy/reports.ts'
import type { Report } from '#contract/reports.ts'
import { refusalOf } from '#server/testing/studio.ts'
import { type GeneratedStudio, PERIODS } from './world.ts'

const KEYS: readonly ReportKey[] = ['clientes', 'primera-clase', 'retencion', 'riesgo', 'valor', 'creditos']
/** Figures that add up: numbers of people and of what they have. Shares and averages do not. */
const adds = ({ unit }: Report['figures'][number]) => unit === 'count' || unit === 'mxn'
/** One per person, in pesos. */
const AVERAGES = new Set(['ltv'])

export function segmentReports(w: GeneratedStudio): void {
  describe('of a segment', () => {
    const halves: { segment_id: number; ids: ReadonlySet<string> }[] = []
    beforeAll(async () => {
      for (const rest of [0, 1]) {
        const { tag_id } = (await w.s.as(w.owner).catalogue.admin.tags.create({ name: `Mitad ${rest}`, type: 'customer' })).tag
        const rows = await w.s.sql<{ customer_id: number }>(
          `insert into customer_tag (customer_id, tag_id) select customer_id, $1 from customer where customer_id % 2 = $2 returning customer_id`,
          [tag_id, rest],
        )
        const { segment_id } = (await w.s.as(w.owner).segments.create({ name: `Mitad ${rest}`, filter: { tag_id } })).segment
        halves.push({ segment_id, ids: new Set(rows.map(({ customer_id }) => String(customer_id))) })
      }
    })

    test.each(PERIODS)('each report of people counts its customers alone, from $from to $to (RE33)', async (period) => {
      for (const key of KEYS)
        for (const location_id of [undefined, w.there]) {
          const read = (segment_id?: number) =>
            w.s.as(w.owner).reports.read({
              key,
              ...period,
              group_by: 'person',
              ...(location_id === undefined ? {} : { location_id }),
              ...(segment_id === undefined ? {} : { segment_id }),
            })
          const whole = await read()
          const parts = await Promise.all(halves.map(({ segment_id }) => read(segment_id)))
          expect(whole.filters).toContain('segment_id')
          for (const [at, part] of parts.entries()) {
            const own = whole.rows.filter(({ id }) => halves[at]?.ids.has(id))
            expect([key, part.rows]).toEqual([key, own])
            expect([key, part.rows_total]).toEqual([key, own.length])
            // Every link leads to the same people.
            for (const { link } of part.figures) expect(link ?? 'segmento=').toContain('segmento=')
          }
          for (const figure of whole.figures.filter((figure) => adds(figure) && !AVERAGES.has(figure.key) && figure.value !== null)) {
            const sum = parts.reduce((all, part) => all + (part.figures.find(({ key: own }) => own === figure.key)?.value ?? 0), 0)
            expect([key, figure.key, Math.round(100 * sum)]).toEqual([key, figure.key, Math.round(100 * (figure.value ?? 0))])
          }
        }
    })

    test('the other reports, a segment that is gone, and whoever may not read customers are refused', async () => {
      const segment_id = halves[0]?.segment_id ?? 0
      const read = (key: ReportKey, id = segment_id, person = w.owner) => w.s.as(person).reports.read({ key, segment_id: id })
      expect(await refusalOf(read('ocupacion'))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { issues: [{ path: 'segment_id', message: 'Este reporte no tiene este filtro.' }] },
      })
      expect(await refusalOf(read('clientes', 2_000_000_000))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { issues: [{ path: 'segment_id', message: 'Ese segmento ya no existe.' }] },
      })
      const coach = await w.s.make.staff('coach')
      await w.s.sql(`insert into staff_right select staff_id, 'reports.activity', true from staff where uid = $1`, [coach.uid])
      expect(await refusalOf(read('clientes', segment_id, coach))).toMatchObject({ code: 'FORBIDDEN' })
      expect((await w.s.as(coach).reports.read({ key: 'clientes' })).filters).not.toContain('segment_id')
    })
  })
}
