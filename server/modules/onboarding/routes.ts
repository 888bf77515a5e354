import { api } from '#server/modules/api.ts'
import { changeOnboardingStep, getOnboarding, proposeStudio, removeExamples, removeTestCustomer } from './onboarding.ts'

const on = api.onboarding

export const onboardingRoutes = {
  read: on.read.handler(({ context }) => getOnboarding(context.ctx)),
  update: on.update.handler(({ context, input }) => changeOnboardingStep(context.ctx, input)),
  proposal: on.proposal.handler(({ context, input }) => proposeStudio(context.ctx, input)),
  removeExamples: on.removeExamples.handler(({ context, input }) => removeExamples(context.ctx, input)),
  removeTestCustomer: on.removeTestCustomer.handler(({ context, input }) => removeTestCustomer(context.ctx, input)),
}
