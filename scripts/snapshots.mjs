import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Deletes all snapshots of the schema but the newest from drizzle-kit's folder. drizzle-kit compares the table definitions with the newest
 * one only; each of the others is as large again (0.4 MB) and is still in the history of the repository.
 */
export function deleteOlderSnapshots(folder) {
  const snapshots = readdirSync(folder)
    .filter((name) => /^\d{4}_snapshot\.json$/.test(name))
    .sort()
  for (const name of snapshots.slice(0, -1)) rmSync(join(folder, name))
}
