/** Imports in tests: a file is read, run and finished in this process. */

import { expect } from 'vitest'
import type { ImportKind, ImportSource } from '#contract/imports.ts'
import { workOnImport } from '#server/modules/imports/run.ts'
import { type Person, studio, type TestStudio } from './studio.ts'

/** A studio in which one member of its staff imports files. */
export async function openImportStudio(role: 'owner' | 'manager' = 'owner') {
  const on = await studio()
  const owner = await on.make.staff(role)
  return { on, owner, steps: stepsOf(on, owner) }
}

/** The steps of an import as one person takes them. */
function stepsOf(on: TestStudio, person: Person) {
  const imports = () => on.as(person).imports
  async function read(file: File, { source = 'other', kind }: { source?: ImportSource; kind?: ImportKind } = {}) {
    const { import_id } = await imports().create({ source, ...(kind ? { kind } : {}) })
    return imports().file({ import_id, file })
  }
  /** Does the job of an import until it is done or the signal stops it. */
  async function work(import_id: number, signal = new AbortController().signal) {
    await workOnImport(on.system(), { import_id }, { id: 'x', signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    return imports().read({ import_id })
  }
  async function imported(file: File, as: { source?: ImportSource; kind?: ImportKind } = {}) {
    const { import_id } = await read(file, as)
    await imports().run({ import_id })
    return work(import_id)
  }
  /** Undoes an import, and checks that its dry run had the same numbers and reasons. */
  async function undo(import_id: number) {
    const { preview } = await imports().undo({ import_id, dry_run: true })
    await imports().undo({ import_id })
    const view = await work(import_id)
    const { rows } = await imports().rows({ import_id, state: 'stayed' })
    const reasons = rows.map(({ issues }) => issues[0]?.message ?? '').sort()
    const foretold = (preview?.stays ?? []).flatMap(({ message, rows: count }) => Array.from({ length: count }, () => message)).sort()
    expect({ rows: preview?.rows, reasons: foretold }).toEqual({ rows: view.counts.undone ?? 0, reasons })
    return view
  }
  return { read, work, imported, undo }
}
