import { expect, it } from 'vitest'
import { announcementProblems, announcementState, draftOfAnnouncement, NEW_ANNOUNCEMENT, toRequest } from './announcement-draft.ts'

const ZONE = 'America/Mexico_City'
const row = {
  announcement_id: 1,
  title: 'Obras',
  content: '<p>x</p>',
  source: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T12:00:00.000Z',
  pinned: true,
  from: '2026-11-24T00:30:00.000Z',
  until: '2026-11-30T06:00:00.000Z',
  location_ids: null,
}

it("hours are the studio's, and what is stored is the same instant", () => {
  const draft = draftOfAnnouncement(row, ZONE)
  expect(draft).toMatchObject({ from: '2026-11-23T18:30', until: '2026-11-30T00:00', location_ids: [] })
  expect(toRequest(draft, ZONE)).toMatchObject({ from: row.from, until: row.until, location_ids: null, pinned: true })
  expect(toRequest(NEW_ANNOUNCEMENT, ZONE)).toMatchObject({ from: null, until: null })
})

it('what is missing or ends before it begins is named', () => {
  expect(Object.keys(announcementProblems(NEW_ANNOUNCEMENT))).toEqual(['title', 'content'])
  expect(announcementProblems({ ...draftOfAnnouncement(row, ZONE), until: '2026-11-23T18:30' })).toEqual({
    until: 'El fin debe ser después del inicio.',
  })
})

it('its state is that of the instant', () => {
  const at = (iso: string) => announcementState(row, new Date(iso), ZONE).tone
  expect([at('2026-11-24T00:29:59Z'), at('2026-11-24T00:30:00Z'), at('2026-11-30T06:00:00Z')]).toEqual(['warn', 'ok', 'outline'])
  expect(announcementState({ from: null, until: null }, new Date(), ZONE).text).toBe('En el sitio')
})
