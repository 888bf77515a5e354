import { api } from '#server/modules/api.ts'
import { editedSettings, openPreview, settingHistory } from '#server/modules/settings/settings.ts'
import { findCustomer, readOwnAccount, removeFile, saveSettings, signOutElsewhere, signUp, updateCustomer } from './account.ts'

const on = api.people

export const accountRoutes = {
  me: on.me.handler(({ context }) => readOwnAccount(context.ctx)),
  signup: on.signup.handler(({ context, input }) => signUp(context.ctx, input)),
  find: on.find.handler(({ context, input }) => findCustomer(context.ctx, input)),
  update: on.update.handler(({ context, input }) => updateCustomer(context.ctx, input)),
}

export const accountSessionRoutes = {
  endOthers: on.sessions.endOthers.handler(({ context }) => signOutElsewhere(context.ctx)),
}

export const accountFileRoutes = {
  remove: api.files.remove.handler(({ context, input }) => removeFile(context.ctx, input)),
}

export const accountSettingRoutes = {
  settings: api.content.settings.handler(async ({ context }) => ({ settings: await editedSettings(context.ctx) })),
  settingHistory: api.content.settingHistory.handler(({ context, input }) => settingHistory(context.ctx, input)),
  previewSettings: api.content.previewSettings.handler(({ context, input }) => openPreview(context.ctx, input)),
  changeSettings: api.content.changeSettings.handler(({ context, input }) => saveSettings(context.ctx, input)),
}
