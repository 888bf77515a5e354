import { api } from '#server/modules/api.ts'
import { addAbsence, changeAbsence, listAbsences, removeAbsence } from './absences.ts'
import { addHolidays, changeHoliday, listHolidays, proposeHolidays, removeHoliday } from './holidays.ts'
import { changeSchedule, copyWeek, discardDrafts, listTeaching, publishDrafts, readSchedule } from './planning.ts'
import { listRooms, saveRoomMap } from './room-maps.ts'
import { changeSeries, readSeries } from './series.ts'
import { answerSubstitution, eligibleCoaches, listSubstitutions, openSubstitutions } from './substitutions.ts'
import { undoEdit } from './taking-back.ts'
import { applyTemplate, changeTemplate, createTemplate, listTemplates, removeTemplate } from './templates.ts'

export const planningRoutes = {
  read: api.studioSchedule.read.handler(({ context, input }) => readSchedule(context.ctx, input)),
  coaches: api.studioSchedule.coaches.handler(({ context }) => listTeaching(context.ctx)),
  change: api.studioSchedule.change.handler(({ context, input }) => changeSchedule(context.ctx, input)),
  publish: api.studioSchedule.publish.handler(({ context, input }) => publishDrafts(context.ctx, input)),
  discard: api.studioSchedule.discard.handler(({ context, input }) => discardDrafts(context.ctx, input)),
  copy: api.studioSchedule.copy.handler(({ context, input }) => copyWeek(context.ctx, input)),
  undo: api.studioSchedule.undo.handler(({ context, input }) => undoEdit(context.ctx, input)),
}

export const seriesRoutes = {
  read: api.classSeries.read.handler(({ context, input }) => readSeries(context.ctx, input)),
  update: api.classSeries.update.handler(({ context, input }) => changeSeries(context.ctx, input)),
}

export const templateRoutes = {
  list: api.scheduleTemplates.list.handler(({ context }) => listTemplates(context.ctx)),
  create: api.scheduleTemplates.create.handler(({ context, input }) => createTemplate(context.ctx, input)),
  update: api.scheduleTemplates.update.handler(({ context, input }) => changeTemplate(context.ctx, input)),
  remove: api.scheduleTemplates.remove.handler(({ context, input }) => removeTemplate(context.ctx, input)),
  apply: api.scheduleTemplates.apply.handler(({ context, input }) => applyTemplate(context.ctx, input)),
}

export const substitutionRoutes = {
  list: api.substitutions.list.handler(({ context, input }) => listSubstitutions(context.ctx, input)),
  eligible: api.substitutions.eligible.handler(({ context, input }) => eligibleCoaches(context.ctx, input)),
  open: api.substitutions.open.handler(({ context, input }) => openSubstitutions(context.ctx, input)),
  answer: api.substitutions.answer.handler(({ context, input }) => answerSubstitution(context.ctx, input)),
}

/** The list of rooms for staff who edit the catalogue is registered in schedule/taught-routes.ts. */
export const roomMapRoutes = {
  list: api.rooms.list.handler(({ context }) => listRooms(context.ctx)),
  saveMap: api.rooms.saveMap.handler(({ context, input }) => saveRoomMap(context.ctx, input)),
}

export const holidayRoutes = {
  list: api.holidays.list.handler(({ context, input }) => listHolidays(context.ctx, input)),
  official: api.holidays.official.handler(({ context, input }) => proposeHolidays(context.ctx, input)),
  add: api.holidays.add.handler(({ context, input }) => addHolidays(context.ctx, input)),
  update: api.holidays.update.handler(({ context, input }) => changeHoliday(context.ctx, input)),
  remove: api.holidays.remove.handler(({ context, input }) => removeHoliday(context.ctx, input)),
}

export const absenceRoutes = {
  list: api.instructorAbsences.list.handler(({ context }) => listAbsences(context.ctx)),
  add: api.instructorAbsences.add.handler(({ context, input }) => addAbsence(context.ctx, input)),
  update: api.instructorAbsences.update.handler(({ context, input }) => changeAbsence(context.ctx, input)),
  remove: api.instructorAbsences.remove.handler(({ context, input }) => removeAbsence(context.ctx, input)),
}
