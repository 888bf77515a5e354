import { api } from '#server/modules/api.ts'
import { archive, unarchive } from './archive.ts'
import { addNote, changeNote, customerTags, fileOfCustomer, listCreditMovements, removeNote, tagCustomer } from './customers.ts'
import { findErasure, startErasure, withdrawErasure } from './erasure.ts'
import { invite } from './invite.ts'
import { exportCustomers, listOfCustomers } from './list.ts'
import { duplicateCustomers, markDistinct, mergeCustomers, mergeState, separateCustomers } from './merge.ts'
import { listPastPurchases } from './past-purchases.ts'
import { exportPersonalData } from './personal-data.ts'
import {
  acceptDocument,
  getConsents,
  listAcceptances,
  listAddresses,
  listSavedCards,
  listWaitlistEntries,
  recordConsents,
} from './records.ts'
import { allSegments, segmentList } from './segments.ts'
import { getTimeline } from './timeline.ts'

const on = api.customerFile

export const customerFileRoutes = {
  one: on.one.handler(({ context, input }) => fileOfCustomer(context.ctx, input)),
  creditMovements: on.creditMovements.handler(({ context, input }) => listCreditMovements(context.ctx, input)),
  pastPurchases: on.pastPurchases.handler(({ context, input }) => listPastPurchases(context.ctx, input)),
  tags: on.tags.handler(({ context }) => customerTags(context.ctx)),
  putTags: on.putTags.handler(({ context, input }) => tagCustomer(context.ctx, input)),
  addNote: on.addNote.handler(({ context, input }) => addNote(context.ctx, input)),
  changeNote: on.changeNote.handler(({ context, input }) => changeNote(context.ctx, input)),
  removeNote: on.removeNote.handler(({ context, input }) => removeNote(context.ctx, input)),
  exportPersonalData: on.exportPersonalData.handler(({ context, input }) => exportPersonalData(context.ctx, input)),
}

const records = api.customerRecords

export const customerRecordRoutes = {
  timeline: records.timeline.handler(({ context, input }) => getTimeline(context.ctx, input)),
  archive: records.archive.handler(({ context, input }) => archive(context.ctx, input)),
  unarchive: records.unarchive.handler(({ context, input }) => unarchive(context.ctx, input)),
  invite: records.invite.handler(({ context, input }) => invite(context.ctx, input)),
  waitlists: records.waitlists.handler(({ context, input }) => listWaitlistEntries(context.ctx, input)),
  acceptedPages: records.acceptedPages.handler(({ context, input }) => listAcceptances(context.ctx, input)),
  acceptPage: records.acceptPage.handler(({ context, input }) => acceptDocument(context.ctx, input)),
  paymentSources: records.paymentSources.handler(({ context, input }) => listSavedCards(context.ctx, input)),
  addresses: records.addresses.handler(({ context, input }) => listAddresses(context.ctx, input)),
  messagePreferences: records.messagePreferences.handler(({ context, input }) => getConsents(context.ctx, input)),
  setMessagePreferences: records.setMessagePreferences.handler(({ context, input }) => recordConsents(context.ctx, input)),
}

export const customerListRoutes = {
  list: api.customerList.list.handler(({ context, input }) => listOfCustomers(context.ctx, input)),
}

export const segmentRoutes = {
  all: api.segments.all.handler(({ context }) => allSegments(context.ctx)),
  create: api.segments.create.handler(async ({ context, input }) => ({ segment: await segmentList.save(context.ctx, input) })),
  update: api.segments.update.handler(async ({ context, input }) => ({ segment: await segmentList.change(context.ctx, input) })),
  remove: api.segments.remove.handler(({ context, input }) => segmentList.remove(context.ctx, input.segment_id)),
}

export const customerExportRoutes = {
  customers: api.listExports.customers.handler(({ context, input }) => exportCustomers(context.ctx, input)),
}

export const customerMergeRoutes = {
  merge: api.customerMerge.merge.handler(({ context, input }) => mergeCustomers(context.ctx, input)),
  undo: api.customerMerge.undo.handler(({ context, input }) => separateCustomers(context.ctx, input)),
  state: api.customerMerge.state.handler(({ context, input }) => mergeState(context.ctx, input)),
  duplicates: api.customerMerge.duplicates.handler(({ context }) => duplicateCustomers(context.ctx)),
  distinct: api.customerMerge.distinct.handler(({ context, input }) => markDistinct(context.ctx, input)),
}

export const customerErasureRoutes = {
  one: api.customerErasure.one.handler(({ context, input }) => findErasure(context.ctx, input)),
  start: api.customerErasure.start.handler(({ context, input }) => startErasure(context.ctx, input)),
  withdraw: api.customerErasure.withdraw.handler(({ context, input }) => withdrawErasure(context.ctx, input)),
}
