/** How npm run bench prints its figures, and the table by commit in docs/performance.md to which `--append` adds a row. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { root } from './programs.ts'

export const n = (value: number, digits = 2) => value.toFixed(digits)

export const print = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`)

/** The figures of one run in the table by commit, in milliseconds of CPU unless their name has another unit. */
export interface Figures {
  bookingRatio?: number
  booking?: number
  bookingDatabase?: number
  bookingWithJobs?: number
  signedInWeek?: number
  uncachedWeek?: number
  purchase?: number
  purchaseWithJobs?: number
  idleMiB?: number
}

const HEADING = '## Bookings and purchases by commit'

/** Appends a row to the table by commit: `npm run bench -- bookings --append`. */
export function appendFigures(figures: Figures): void {
  const file = join(root, 'docs/performance.md')
  const text = readFileSync(file, 'utf8')
  if (!text.includes(HEADING)) throw new Error(`docs/performance.md has no section "${HEADING}".`)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const cell = (value: number | undefined, digits = 2) => (value === undefined ? '' : n(value, digits))
  const cells = [
    `\`${commit}\``,
    new Date().toISOString().slice(0, 10),
    n(loadavg()[0] ?? 0, 1),
    cell(figures.bookingRatio),
    cell(figures.booking),
    cell(figures.bookingDatabase),
    cell(figures.bookingWithJobs),
    cell(figures.signedInWeek),
    cell(figures.uncachedWeek),
    cell(figures.purchase, 1),
    cell(figures.purchaseWithJobs, 1),
    cell(figures.idleMiB, 0),
  ]
  writeFileSync(file, `${text.trimEnd()}\n| ${cells.join(' | ')} |\n`)
}
