import { api } from '#server/modules/api.ts'
import { claimStudio } from './first-owner.ts'
import { acceptInvite, inviteAgain, inviteLink, inviteMember, inviteView, mailPassword } from './invites.ts'
import { changeMe, meInAdmin } from './me.ts'
import { resetSecondFactor } from './second-factor.ts'
import { chooseDevicePerson, deviceState, lockDevice, openKiosk, pinState, removePin, setPin, shareDevice } from './shared-device.ts'
import { changeMember, disableMember, restoreMember, staffMembers } from './team.ts'

const on = api.team

export const teamRoutes = {
  me: on.me.handler(({ context }) => meInAdmin(context.ctx)),
  updateMe: on.updateMe.handler(({ context, input }) => changeMe(context.ctx, input)),
  list: on.list.handler(({ context }) => staffMembers(context.ctx)),
  invite: on.invite.handler(({ context, input }) => inviteMember(context.ctx, input)),
  update: on.update.handler(({ context, input }) => changeMember(context.ctx, input)),
  inviteAgain: on.inviteAgain.handler(({ context, input }) => inviteAgain(context.ctx, input)),
  inviteLink: on.inviteLink.handler(({ context, input }) => inviteLink(context.ctx, input)),
  disable: on.disable.handler(({ context, input }) => disableMember(context.ctx, input)),
  restore: on.restore.handler(({ context, input }) => restoreMember(context.ctx, input)),
  claimStudio: on.claimStudio.handler(({ context, input }) => claimStudio(context.ctx, input)),
  inviteView: on.inviteView.handler(({ context, input }) => inviteView(context.ctx, input)),
  invitePassword: on.invitePassword.handler(({ context, input }) => mailPassword(context.ctx, input)),
  acceptInvite: on.acceptInvite.handler(({ context, input }) => acceptInvite(context.ctx, input)),
  resetSecondFactor: on.resetSecondFactor.handler(({ context, input }) => resetSecondFactor(context.ctx, input)),
}

const device = api.sharedDevice

export const sharedDeviceRoutes = {
  state: device.state.handler(({ context }) => deviceState(context.ctx)),
  share: device.share.handler(({ context }) => shareDevice(context.ctx)),
  choose: device.choose.handler(({ context, input }) => chooseDevicePerson(context.ctx, input, context.giveDeviceKey ?? (() => {}))),
  lock: device.lock.handler(({ context }) => lockDevice(context.ctx)),
  openKiosk: device.openKiosk.handler(({ context, input }) => openKiosk(context.ctx, input, context.giveDeviceKey ?? (() => {}))),
  pin: device.pin.handler(({ context }) => pinState(context.ctx)),
  setPin: device.setPin.handler(({ context, input }) => setPin(context.ctx, input)),
  removePin: device.removePin.handler(({ context }) => removePin(context.ctx)),
}
