/** Credits that are frozen at the other system (docs/domain.md IM3, C17). */
import { afterAll, expect, test } from 'vitest'
import { openImportStudio } from '#server/testing/import-files.ts'

const { on, owner, steps } = await openImportStudio()
afterAll(() => on.close())
const fileOf = (content: string) => new File([content], 'x.csv')

test('credits that are frozen at the source are frozen here since their day, and are taken back as they came (IM3, C17)', async () => {
  const file = fileOf(
    [
      'Nombre,Apellidos,Correo,Paquete,Clases,Vence,Congelado desde',
      `Iris,Paz,iris.frozen@ejemplo.mx,Diez,3,2026-11-15,2026-11-09`,
      `Iris,Paz,iris.frozen@ejemplo.mx,Diez,3,2026-12-15,no`,
      `Olga,Luz,olga.frozen@ejemplo.mx,Diez,2,2026-12-15,Sí`,
      `Pura,Luz,pura.frozen@ejemplo.mx,Diez,2,2026-12-15,2031-01-01`,
    ].join('\n'),
  )
  const done = await steps.imported(file)
  expect(done.columns.map(({ field }) => field).at(-1)).toBe('frozen')
  expect(done.counts).toEqual({ done: 2, error: 2 })
  const wrong = await on.as(owner).imports.rows({ import_id: done.import_id, state: 'error' })
  expect(wrong.rows.map(({ issues }) => issues[0]?.field)).toEqual(['frozen', 'frozen'])
  const credits = () =>
    on.sql<{ balance: number; frozen: string | null; until: string }>(
      `select a.balance, to_char(a."frozenAt" at time zone 'America/Mexico_City', 'YYYY-MM-DD') as frozen,
        to_char(a.expires_at at time zone 'America/Mexico_City', 'YYYY-MM-DD') as until
       from available_class a join customer c using (customer_id) where c.email = $1 order by a.expires_at`,
      [`iris.frozen@ejemplo.mx`],
    )
  const rows = [
    { balance: 3, frozen: '2026-11-09', until: '2026-11-15' },
    { balance: 3, frozen: null, until: '2026-12-15' },
  ]
  expect(await credits()).toEqual(rows)
  expect((await steps.imported(file)).counts).toMatchObject({ same: 2, error: 2 })
  expect(await credits()).toEqual(rows)
  expect((await steps.undo(done.import_id)).counts).toMatchObject({ undone: 2 })
  expect(await credits()).toEqual([])
})
