import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { deleteOlderSnapshots } from './snapshots.mjs'

test('only the newest snapshot of the schema stays, and nothing else is deleted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-snapshots-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['0000_snapshot.json', '0099_snapshot.json', '0100_snapshot.json', '_journal.json', 'notes.json'])
    writeFileSync(join(folder, name), '{}')
  deleteOlderSnapshots(folder)
  expect(readdirSync(folder).sort()).toEqual(['0100_snapshot.json', '_journal.json', 'notes.json'])
})

test('the project has one snapshot: that of its last migration', () => {
  const folder = 'server/migrations/meta'
  const { entries } = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8')) as { entries: { tag: string }[] }
  const last = entries.at(-1)?.tag.slice(0, 4) ?? ''
  expect(readdirSync(folder).filter((name) => name.endsWith('_snapshot.json'))).toEqual([`${last}_snapshot.json`])
})
