import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/forms/forms.css'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { CustomField, Form } from '#contract/form-endpoints.ts'
import { ADDRESS_FORM_ID, type FieldSource, type FormField } from '#contract/forms.ts'
import { FieldPanel } from '#web/features/admin/forms/field-panel.tsx'
import { fieldText, isFixedField, withOrder } from '#web/features/admin/forms/form-draft.ts'
import { FormPreview } from '#web/features/admin/forms/form-preview.tsx'
import { type StoredForm, useFormEdit, useOpenField } from '#web/features/admin/forms/use-form-edit.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { OrderedList } from '#web/features/admin/table/ordered-list.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { queries } from '#web/lib/api.ts'
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
  const stored = all.find((stored) => String(stored.form_id) === form_id) ?? null
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

function Builder({ stored, all, custom }: { stored: StoredForm | null; all: readonly Form[]; custom: readonly CustomField[] }) {
  const staff = useStaff()
  const [removing, setRemoving] = useState(false)
  const edit = useFormEdit(stored)
  const { form_id, draft, refused, conflict } = edit
  const panel = useOpenField(edit, stored)
  const objects = [...new Set(custom.map(({ object }) => object))]
  const address = form_id === ADDRESS_FORM_ID ? draft.fields : all.find((form) => form.form_id === ADDRESS_FORM_ID)?.form_fields
  const source: FieldSource = {
    address: (address ?? []) as readonly FormField[],
    objects: Object.fromEntries(objects.map((name) => [name, custom.filter(({ object }) => object === name) as readonly FormField[]])),
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
            onChange={({ currentTarget: { value } }) => edit.setDraft((current) => ({ ...current, name: value }))}
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
              onOrder={(next, to) => panel.setFields(withOrder(draft.fields, next, to))}
            >
              {(field) => (
                <>
                  <button type="button" className="link link-alone strong" onClick={() => panel.open(field.key)}>
                    {field.label || 'Campo sin pregunta'}
                  </button>
                  <p className="small muted">{fieldText(field, draft.fields)}</p>
                </>
              )}
            </OrderedList>
          )}
          <div>
            <Button variant="outline" icon={<IconPlus className="icon" aria-hidden="true" />} onClick={panel.add}>
              Agregar campo
            </Button>
          </div>
        </div>
        <SaveBar isChanged={edit.isChanged} saving={edit.isSaving} onSave={edit.submit}>
          {edit.isChanged ? 'Hay cambios sin guardar. Las respuestas que ya tienes se conservan.' : ' '}
        </SaveBar>
      </div>
      <FormPreview fields={draft.fields} source={source} />
      {panel.field && (
        <FieldPanel
          key={panel.field.key}
          field={panel.field}
          fields={draft.fields}
          objects={objects}
          isFixed={isFixedField(form_id, panel.field.key)}
          onChange={panel.change}
          onRemove={panel.remove}
          onClose={panel.close}
        />
      )}
      {conflict && (
        <Suspense>
          <FormConflict {...conflict} />
        </Suspense>
      )}
      <LeaveGuard when={edit.isUnsaved} />
      <RemoveDialog
        open={removing}
        remove={() => edit.remove.mutateAsync().finally(() => setRemoving(false))}
        onClose={() => setRemoving(false)}
      >
        ¿Quieres eliminar “{stored?.name}”?
      </RemoveDialog>
    </div>
  )
}
