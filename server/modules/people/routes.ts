import { api } from '#server/modules/api.ts'
import { addresses, changeAddressOf, oneAddress, removeAddress, saveAddressOf } from './addresses.ts'
import { allCustomers, confirmEmail, createCustomer, phoneInUse, recoverPassword, searchCustomers } from './people.ts'
import { addPushDevice, myPushDevices, removePushDevice, renewPushDevice } from './push-devices.ts'
import { endMySession, mySessions } from './sessions.ts'

const on = api.people

/** `me`, `signup`, `find`, `update` and closing other sessions need higher modules: they are registered in account/routes.ts. */
export const peopleRoutes = {
  phone: on.phone.handler(({ context, input }) => phoneInUse(context.ctx, input)),
  create: on.create.handler(({ context, input }) => createCustomer(context.ctx, input)),
  list: on.list.handler(({ context, input }) => allCustomers(context.ctx, input)),
  query: on.query.handler(({ context, input }) => searchCustomers(context.ctx, input)),
  recover: on.recover.handler(({ context, input }) => recoverPassword(context.ctx, input)),
  confirm: on.confirm.handler(({ context }) => confirmEmail(context.ctx)),
  sessions: {
    list: on.sessions.list.handler(({ context }) => mySessions(context.ctx)),
    end: on.sessions.end.handler(({ context }) => endMySession(context.ctx)),
  },
  addresses: {
    list: on.addresses.list.handler(({ context }) => addresses(context.ctx)),
    one: on.addresses.one.handler(({ context, input }) => oneAddress(context.ctx, input)),
    create: on.addresses.create.handler(({ context, input }) => saveAddressOf(context.ctx, input)),
    update: on.addresses.update.handler(({ context, input }) => changeAddressOf(context.ctx, input)),
    remove: on.addresses.remove.handler(({ context, input }) => removeAddress(context.ctx, input)),
  },
}

export const pushRoutes = {
  devices: api.push.devices.handler(({ context }) => myPushDevices(context.ctx)),
  add: api.push.add.handler(({ context, input }) => addPushDevice(context.ctx, input)),
  renew: api.push.renew.handler(({ context, input }) => renewPushDevice(context.ctx, input)),
  remove: api.push.remove.handler(({ context, input }) => removePushDevice(context.ctx, input)),
}
