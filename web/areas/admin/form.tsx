import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/forms/forms.css'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { CustomField, Form } from '#contract/form-endpoints.ts'
import { ADDRESS_FORM_ID, type FieldSource, type FormField } from '#contract/forms.ts'
import { FieldPanel } from '#web/features/admin/forms/field-panel.tsx'
import {
  draftOfForm,
  type FormDraft,
  fieldInWords,
  formProblem,
  isFixedField,
  NEW_FORM,
  newFieldKey,
  toRequest,
  withField,
  withOrder,
  withoutField,
} from '#web/features/admin/forms/form-draft.ts'
import { FormPreview } from '#web/features/admin/forms/form-preview.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { OrderedList } from '#web/features/admin/table/ordered-list.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'

const FormConflict = lazy(() => import('#web/features/admin/forms/form-conflict.tsx'))

export const handle: AdminHandle = { title: 'Formulario', detail: true, edits: true }

/** One form: its fields in order, and how a customer sees them; `/nuevo` makes one. */
export default function FormScreen() {
  const { form_id = '' } = useParams()
  const query = useQuery(queries.forms.admin.forms.all.queryOptions({ meta: { handled: true } }))
  const custom = useQuery(queries.forms.admin.customFields.all.queryOptions({ meta: { handled: true } }))
  const all = query.data?.forms ?? []
  const stored = all.find((one) => String(one.form_id) === form_id) ?? null
  if (custom.data && query.data && (stored || form_id === 'nuevo'))
    return <Builder key={form_id} stored={stored} all={all} custom={custom.data.custom_fields} />
  return (
    <NoRecord
      title="Formulario"
      query={query.data ? custom : query}
      failed="No pudimos cargar el formulario."
      missing="Ese formulario ya no existe."
    />
  )
}

/** A form as the list has it: with the version that a change is made from. */
type StoredForm = Form & { updatedAt: string }

function Builder({ stored, all, custom }: { stored: StoredForm | null; all: readonly Form[]; custom: readonly CustomField[] }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const staff = useStaff()
  const [openKey, setOpenKey] = useState<string | null>(null)
  const [removing, setRemoving] = useState(false)
  const [left, setLeft] = useState(false)
  const form_id = stored?.form_id ?? null
  const leave = () => {
    // The guard is off in the render before the screen is left.
    setLeft(true)
    setTimeout(() => void navigate(adminPaths.forms), 0)
  }
  const edit = useVersionedEdit({
    ...{ stored, start: NEW_FORM, toDraft: draftOfForm, follows: true },
    // Answers of conditions are any JSON here; the server checks them with the contract.
    send: (typed: FormDraft, from: StoredForm | null, how) => {
      const sent = toRequest(typed) as Parameters<typeof api.forms.admin.forms.create>[0]
      return form_id === null
        ? api.forms.admin.forms.create({ ...sent, form_id: null }, how)
        : api.forms.admin.forms.update({ ...sent, form_id, ...(from ? { if_updatedAt: from.updatedAt } : {}) })
    },
    reload: () => client.invalidateQueries(),
    async onSaved({ form }) {
      // After the list is read: a form without edits follows its values.
      await client.invalidateQueries()
      if (stored) edit.follow(form)
      else setDraft(draftOfForm(form))
      showAlert('success', 'Guardado.')
      if (!stored) leave()
    },
  })
  const { before, draft, setDraft, conflict } = edit
  const isChanged = JSON.stringify(toRequest(draft)) !== JSON.stringify(toRequest(before))
  const objects = [...new Set(custom.map(({ object }) => object))]
  const address = form_id === ADDRESS_FORM_ID ? draft.fields : all.find((one) => one.form_id === ADDRESS_FORM_ID)?.form_fields
  const source: FieldSource = {
    address: (address ?? []) as readonly FormField[],
    objects: Object.fromEntries(objects.map((name) => [name, custom.filter(({ object }) => object === name) as readonly FormField[]])),
  }
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.forms.admin.forms.remove({ form_id: form_id ?? 0 }),
    async onSuccess() {
      await client.invalidateQueries()
      showAlert('success', 'Eliminado.')
      leave()
    },
    onSettled: () => setRemoving(false),
  })
  const refused = edit.refusal ?? (remove.error ? toFailure(remove.error) : null)
  const open = draft.fields.find(({ key }) => key === openKey)
  const setFields = (fields: readonly FormField[]) => setDraft((current) => ({ ...current, fields }))
  const add = () => {
    const key = newFieldKey(
      'campo',
      draft.fields.map((field) => field.key),
    )
    const step = draft.fields.at(-1)?.step ?? 1
    const made: FormField = {
      key,
      label: '',
      type: 'text',
      required: false,
      step,
      order: draft.fields.length,
      options: [],
      precondition: null,
    }
    setFields([...draft.fields, made])
    setOpenKey(key)
  }
  /** A field that is not stored yet gets its key from its question. */
  const closePanel = () => {
    setOpenKey(null)
    if (!open || open.label.trim() === '' || stored?.form_fields.some(({ key }) => key === open.key)) return
    const key = newFieldKey(
      open.label,
      draft.fields.filter((field) => field !== open).map((field) => field.key),
    )
    setFields(
      draft.fields.map((field) =>
        field === open
          ? { ...field, key }
          : field.precondition?.key === open.key
            ? { ...field, precondition: { ...field.precondition, key } }
            : field,
      ),
    )
  }
  const submit = () => {
    const problem = formProblem(draft)
    if (problem) showAlert('alert', problem)
    else edit.save()
  }
  return (
    <div className="record-editor">
      <div>
        <ScreenHead title={stored?.name ?? 'Nuevo formulario'}>
          {stored && may(staff, 'customers.read') && (
            <Button as={AppLink} to={adminPaths.formAnswers(stored.form_id)} variant="outline">
              Respuestas
            </Button>
          )}
          {stored && form_id !== ADDRESS_FORM_ID && (
            <IconButton label="Eliminar" onClick={() => setRemoving(true)}>
              <IconTrash className="icon" aria-hidden="true" />
            </IconButton>
          )}
        </ScreenHead>
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        <div className="record-fields">
          <TextField
            label="Nombre"
            maxLength={120}
            value={draft.name}
            onChange={({ currentTarget: { value } }) => setDraft((current) => ({ ...current, name: value }))}
          />
          {form_id === ADDRESS_FORM_ID && (
            <Banner>Son los campos de las direcciones. Ciudad, estado y país se quedan, porque una dirección los necesita.</Banner>
          )}
          {draft.fields.length === 0 && <EmptyState>Agrega el primer campo.</EmptyState>}
          {draft.fields.length > 0 && (
            <OrderedList
              label="Campos"
              items={draft.fields}
              idOf={({ key }) => key}
              nameOf={({ label }) => label || 'Campo sin pregunta'}
              onOrder={(next, to) => setFields(withOrder(draft.fields, next, to))}
            >
              {(field) => (
                <>
                  <button type="button" className="link strong" onClick={() => setOpenKey(field.key)}>
                    {field.label || 'Campo sin pregunta'}
                  </button>
                  <p className="small muted">{fieldInWords(field, draft.fields)}</p>
                </>
              )}
            </OrderedList>
          )}
          <div>
            <Button variant="outline" icon={<IconPlus className="icon" aria-hidden="true" />} onClick={add}>
              Agregar campo
            </Button>
          </div>
        </div>
        <SaveBar isChanged={isChanged} saving={edit.isSaving} onSave={submit}>
          {isChanged ? 'Hay cambios sin guardar. Las respuestas que ya tienes se conservan.' : ' '}
        </SaveBar>
      </div>
      <FormPreview fields={draft.fields} source={source} />
      {open && (
        <FieldPanel
          key={open.key}
          field={open}
          fields={draft.fields}
          objects={objects}
          isFixed={isFixedField(form_id, open.key)}
          onChange={(change) => setDraft((current) => ({ ...current, fields: withField(current.fields, open.key, change) }))}
          onRemove={() => {
            setOpenKey(null)
            setFields(withoutField(draft.fields, open.key))
          }}
          onClose={closePanel}
        />
      )}
      {conflict && (
        <Suspense>
          <FormConflict {...conflict} />
        </Suspense>
      )}
      <LeaveGuard when={isChanged && !left && !edit.isSaving} />
      <RemoveDialog open={removing} remove={() => remove.mutateAsync()} onClose={() => setRemoving(false)}>
        ¿Quieres eliminar “{stored?.name}”?
      </RemoveDialog>
    </div>
  )
}
