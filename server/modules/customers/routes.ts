import { api } from '#server/modules/api.ts'
import { addNote, changeNote, customerTags, fileOfCustomer, removeNote, tagCustomer } from './customers.ts'

const on = api.customerFile

export const customerFileRoutes = {
  one: on.one.handler(({ context, input }) => fileOfCustomer(context.ctx, input)),
  tags: on.tags.handler(({ context }) => customerTags(context.ctx)),
  putTags: on.putTags.handler(({ context, input }) => tagCustomer(context.ctx, input)),
  addNote: on.addNote.handler(({ context, input }) => addNote(context.ctx, input)),
  changeNote: on.changeNote.handler(({ context, input }) => changeNote(context.ctx, input)),
  removeNote: on.removeNote.handler(({ context, input }) => removeNote(context.ctx, input)),
}
