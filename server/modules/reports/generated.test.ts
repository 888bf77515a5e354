/**
 * The reports of generated studios, on the clocks of three zones, against a slow computation from whole tables, written without their
 * queries, and the invariants of their figures: groups add up to the figure, and complementary parts add up to all.
 */
import { describe, expect, test } from 'vitest'
import { localDate } from '#contract/time.ts'
import { classReports } from '#server/testing/generated-reports/classes.ts'
import { figureReports } from '#server/testing/generated-reports/figures.ts'
import { incomeReports } from '#server/testing/generated-reports/income.ts'
import { moneyReports } from '#server/testing/generated-reports/money.ts'
import { peopleReports } from '#server/testing/generated-reports/people.ts'
import { segmentReports } from '#server/testing/generated-reports/segments.ts'
import { valueReports } from '#server/testing/generated-reports/value.ts'
import { GeneratedStudio, PERIODS } from '#server/testing/generated-reports/world.ts'
import { STUDIO_KINDS, type StudioKind } from '#server/testing/generated-studio.ts'

describe.each(STUDIO_KINDS)('a studio that is %s', (kind: StudioKind) => {
  const w = new GeneratedStudio(kind)

  test('something was generated, unless it is empty', () => {
    expect(w.t.class_reservation.length > 300).toBe(w.kind !== 'empty')
    expect(w.t.refund.length > 0).toBe(w.kind !== 'empty')
  })

  moneyReports(w)
  classReports(w)
  peopleReports(w)
  incomeReports(w)
  valueReports(w)
  figureReports(w)
  segmentReports(w)

  test('every figure of every report was compared with a slow computation', async () => {
    const { reports } = await w.s.as(w.owner).reports.list({})
    for (const { key } of reports) {
      const { figures } = await w.s.as(w.owner).reports.read({ key })
      expect([key, figures.map((figure) => figure.key).filter((name) => !w.compared.has(`${key} ${name}`))]).toEqual([key, []])
    }
  })

  test('the index has the first figure of every report, of the week, the month and the year', async () => {
    const today = localDate(w.s.clock.now(), w.zone)
    for (const period of ['week', 'month', 'year'] as const) {
      const { from, reports } = await w.s.as(w.owner).reports.list({ period })
      for (const { key, figure, missing_days } of reports) {
        const ofPeriod = ['creditos', 'retencion', 'ganancia', 'valor'].includes(key) ? {} : { from, to: today }
        const read = await w.s.as(w.owner).reports.read({ key, ...ofPeriod })
        expect([key, period, figure]).toEqual([key, period, missing_days === null ? read.figures[0] : null])
      }
      expect(reports.some(({ figure }) => figure?.value)).toBe(w.kind !== 'empty')
    }
  })

  test('headlines say none, one and many rightly, and no amount is negative or no number', async () => {
    const wrong =
      /NaN|Infinity|undefined|null|[-−]\$|(^|\D[ ,])1 (personas|clases|compras|clientes|mensajes|videos|veces|cortes|opiniones|suscripciones|coaches|lugares|vuelven|compraron|regresan)\b|(llegaron|fueron|empezaron|terminaron) 1\b|(llegaron|fueron) 0\b/i
    // A week in which much happens, and days on which little does.
    const periods = [
      { from: '2026-10-26', to: '2026-11-01' },
      ...['2026-10-18', '2026-11-01', '2026-11-02'].map((on) => ({ from: on, to: on })),
    ]
    let headlines = 0
    for (const { key } of (await w.s.as(w.owner).reports.list({})).reports)
      for (const period of periods) {
        const { headline } = await w.report(key, period)
        const text = `${headline?.text ?? ''} ${headline?.detail ?? ''}`
        if (headline) headlines += 1
        expect([key, period.from, wrong.test(text) ? text : null]).toEqual([key, period.from, null])
      }
    expect(headlines > 20).toBe(w.kind !== 'empty')
  })

  test('every report can be read in every way that it offers, and its file written', async () => {
    for (const { key } of (await w.s.as(w.owner).reports.list({})).reports) {
      const usual = await w.s.as(w.owner).reports.read({ key })
      for (const { key: group_by } of usual.groups)
        for (const only of [undefined, ...usual.choices.map((choice) => choice.key)]) {
          const found = await w.s.as(w.owner).reports.read({ key, group_by, only, ...PERIODS[1], compare: 'year' })
          for (const row of found.rows) for (const column of found.columns) expect(row.cells).toHaveProperty(column.key)
          expect(found.rows_total).toBeGreaterThanOrEqual(found.rows.length)
          if (w.kind === 'empty') expect([found.rows.length, found.headline]).toEqual([0, null])
        }
      expect((await w.s.as(w.owner).reports.file({ key, format: 'csv' })).size).toBeGreaterThan(10)
    }
  })
})
