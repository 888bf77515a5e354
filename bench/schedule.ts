/**
 * npm run bench -- schedule: the timetable of a busy studio. A month of 620 classes is published as drafts at once; a week of 140 classes
 * is opened and a class dragged across it in a real browser whose CPU is slowed down four times. Beside each figure the same without the
 * work (an empty week; a pointer that drags nothing), because these machines are noisy.
 */
import type { Page } from '@playwright/test'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { addDays } from '#contract/time.ts'
import { type Demo, EMPTY, fillWeek, inFolder, MONDAY, n, printFigure, signIn, withDemo } from './demo-studio.ts'
import { median } from './load.ts'

const MONTH = 620
const WEEK = 140
const RUNS = 5
const CPU = 4
const DRAG_STEPS = 120
const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
/** The month that is published: without classes of the demo. */
const MONTH_FROM = '2031-05-01'

/** Drafts of a month and their publication, as the screen sends them; milliseconds of each. */
async function month(origin: string): Promise<{ kept: number; rehearsed: number; published: number }> {
  const post = async <T>(path: string, body: object, token = ''): Promise<T> => {
    const answer = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const get = async <T>(path: string): Promise<T> => (await (await fetch(`${origin}/api${path}`)).json()) as T
  const { idToken } = await post<{ idToken: string }>(`${IDENTITY_PATH}/v1/accounts:signInWithPassword?key=${IDENTITY_API_KEY}`, {
    ...OWNER,
    returnSecureToken: true,
  })
  const { class_types } = await get<{ class_types: { class_type_id: number }[] }>('/class_types')
  const { locations } = await get<{ locations: { location_id: number }[] }>('/locations')
  const { instructors } = await get<{ instructors: { instructor_id: number }[] }>('/instructors')
  const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
  const changes = Array.from({ length: MONTH }, (_, at) => {
    const [day, hour] = [addDays(MONTH_FROM, Math.floor(at / 20)), at % 20]
    const minutes = 6 * 60 + hour * 45
    const wall = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
    return {
      op: 'create',
      fields: {
        class_type_id: pick(class_types, at).class_type_id,
        location_id: pick(locations, at).location_id,
        instructor_ids: [pick(instructors, at).instructor_id],
        class_date: `${day}T${wall}:00.000Z`,
        duration_minutes: 40,
        capacity: 20,
      },
    }
  })
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  return {
    kept: await timed(() => post('/api/admin/schedule/changes', { changes, as: 'draft' }, idToken)),
    rehearsed: await timed(() => post('/api/admin/schedule/publish', { dry_run: true }, idToken)),
    published: await timed(() => post('/api/admin/schedule/publish', {}, idToken)),
  }
}

/**
 * From the navigation until the week can be used: its classes are painted, those that can be dragged are, and the main thread is idle.
 * Scripts come from the browser's cache, as every day.
 */
async function opened(page: Page, origin: string, week: string, count: number): Promise<number> {
  await page.goto(`${origin}/admin/horario?semana=${week}&dia=${week}`, { waitUntil: 'commit' })
  return await page.evaluate(
    (wanted) =>
      new Promise<number>((done) => {
        const isReady = () => {
          const blocks = document.querySelectorAll('button[data-class]')
          const totals = [...document.querySelectorAll('p')].some((paragraph) =>
            /^(\d+ clases?|Sin clases)/.test(paragraph.textContent ?? ''),
          )
          if (!totals) return false
          return blocks.length === wanted && (wanted === 0 || blocks[0]?.getAttribute('draggable') === 'true')
        }
        const check = () => {
          if (!isReady()) requestAnimationFrame(check)
          else requestIdleCallback(() => done(performance.now()))
        }
        check()
      }),
    count,
  )
}

interface Frames {
  perSecond: number
  longest: number
}

/** Frames while the pointer moves across the week, with or without a class. */
async function moved(page: Page, drags: boolean): Promise<Frames> {
  const box = await page.locator('button[data-class][draggable="true"]').first().boundingBox()
  if (!box) throw new Error('No class can be dragged.')
  await page.mouse.move(box.x + 12, box.y + 6)
  if (drags) await page.mouse.down()
  await page.mouse.move(box.x + 30, box.y + 20, { steps: 4 })
  await page.evaluate(() => {
    const seen = { frames: 0, longest: 0, on: true, began: performance.now(), last: performance.now() }
    Object.assign(window, { seen })
    const frame = (at: number) => {
      seen.frames++
      seen.longest = Math.max(seen.longest, at - seen.last)
      seen.last = at
      if (seen.on) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  for (let step = 0; step < DRAG_STEPS; step++) {
    const turn = (step / DRAG_STEPS) * 2 * Math.PI
    await page.mouse.move(box.x + 30 + 400 * (1 - Math.cos(turn)), box.y + 20 + 220 * Math.abs(Math.sin(turn)))
  }
  const seen = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { frames: number; longest: number; on: boolean; began: number } }
    seen.on = false
    return { perSecond: (1_000 * seen.frames) / (performance.now() - seen.began), longest: seen.longest }
  })
  // Dropped where it came from: nothing is changed.
  await page.mouse.move(box.x + 12, box.y + 6)
  if (drags) await page.mouse.up()
  return seen
}

async function measure({ origin, sql, browser }: Demo): Promise<void> {
  await fillWeek(sql, WEEK, 40)
  console.log(`El horario con ${WEEK} clases en la semana; tarda un minuto.\n`)
  const { kept, rehearsed, published } = await month(origin)
  printFigure(`${MONTH} classes: kept as drafts`, `${n(kept)} ms`)
  printFigure(`${MONTH} classes: shown before publishing`, `${n(rehearsed)} ms`)
  printFigure(`${MONTH} classes: published`, `${n(published)} ms   goal <= 5000`)

  const view = { viewport: { width: 1440, height: 900 } }
  const { page } = await signIn(browser, origin, { ...OWNER, view, cpu: CPU, to: '/admin/horario', heading: 'Horario' })
  const [full, empty]: [number[], number[]] = [[], []]
  for (let run = 0; run < RUNS; run++) {
    empty.push(await opened(page, origin, EMPTY, 0))
    full.push(await opened(page, origin, MONDAY, WEEK))
  }
  printFigure(
    `desk 1440, CPU ${CPU}x: the week can be used`,
    `${n(median(full))} ms   goal <= 1500   (an empty week ${n(median(empty))} ms)`,
  )

  const [drag, still]: [Frames[], Frames[]] = [[], []]
  for (let run = 0; run < RUNS; run++) {
    still.push(await moved(page, false))
    drag.push(await moved(page, true))
  }
  const rate = (frames: readonly Frames[]) => n(median(frames.map(({ perSecond }) => perSecond)))
  printFigure(
    `desk 1440, CPU ${CPU}x: dragging`,
    `${rate(drag)} frames a second   goal >= 50   (${rate(still)} without a class; longest ${n(median(drag.map(({ longest }) => longest)))} ms)`,
  )
}

await inFolder('schedule', (folder) => withDemo(folder, measure))
