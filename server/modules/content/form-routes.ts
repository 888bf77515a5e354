import { api } from '#server/modules/api.ts'
import { exportAnswers } from './answer-export.ts'
import {
  answersToForm,
  customFieldList,
  customFields,
  formList,
  forms,
  getForm,
  getFormAnswers,
  oneCustomField,
  oneForm,
  saveFormAnswers,
} from './forms.ts'

const on = api.forms

export const formExportRoutes = {
  formAnswers: api.listExports.formAnswers.handler(({ context, input }) => exportAnswers(context.ctx, input)),
}

export const formRoutes = {
  list: on.list.handler(({ context }) => forms(context.ctx)),
  one: on.one.handler(({ context, input }) => oneForm(context.ctx, input)),
  shown: on.shown.handler(({ context, input }) => getForm(context.ctx, input)),
  answers: on.answers.handler(({ context, input }) => getFormAnswers(context.ctx, input)),
  answer: on.answer.handler(({ context, input }) => saveFormAnswers(context.ctx, input)),
  customFields: on.customFields.handler(({ context, input }) => customFields(context.ctx, input)),
  customFieldsOf: on.customFieldsOf.handler(({ context, input }) => customFields(context.ctx, input)),
  customField: on.customField.handler(({ context, input }) => oneCustomField(context.ctx, input)),
  admin: {
    answers: on.admin.answers.handler(({ context, input }) => answersToForm(context.ctx, input)),
    forms: {
      all: on.admin.forms.all.handler(async ({ context }) => ({ forms: await formList.all(context.ctx) })),
      create: on.admin.forms.create.handler(async ({ context, input }) => ({ form: await formList.save(context.ctx, input) })),
      update: on.admin.forms.update.handler(async ({ context, input }) => ({ form: await formList.change(context.ctx, input) })),
      remove: on.admin.forms.remove.handler(({ context, input }) => formList.remove(context.ctx, input.form_id)),
    },
    customFields: {
      all: on.admin.customFields.all.handler(async ({ context }) => ({ custom_fields: await customFieldList.all(context.ctx) })),
      create: on.admin.customFields.create.handler(async ({ context, input }) => ({
        custom_field: await customFieldList.save(context.ctx, input),
      })),
      update: on.admin.customFields.update.handler(async ({ context, input }) => ({
        custom_field: await customFieldList.change(context.ctx, input),
      })),
      remove: on.admin.customFields.remove.handler(({ context, input }) => customFieldList.remove(context.ctx, input.custom_field_id)),
    },
  },
}
