import { IconPlus, IconTag } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CatalogueTag } from '#contract/catalogue.ts'
import { CUSTOMER_TAG, MAX_CUSTOMER_TAGS } from '#contract/customer-file.ts'
import { showWithUndo } from '#web/features/admin/frame/act-undo.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCustomerFile, useCustomerFileChanged } from './use-customer-file.ts'
import '#web/ui/chip.css'

/** The tags of a customer; staff who may edit customers choose them. */
export function CustomerTags({ customer_id, name }: { customer_id: number; name: string }) {
  const staff = useStaff()
  const file = useCustomerFile(customer_id)
  const [isChoosing, setIsChoosing] = useState(false)
  if (!file.data) return null
  const { tags } = file.data
  return (
    <>
      {tags.map((tag) => (
        <span key={tag.tag_id} className="chip chip-still">
          <IconTag className="icon" aria-hidden="true" /> {tag.name}
        </span>
      ))}
      {may(staff, 'customers.edit') && (
        <button type="button" className="chip chip-add" onClick={() => setIsChoosing(true)}>
          <IconPlus className="icon" aria-hidden="true" /> Etiqueta
        </button>
      )}
      {isChoosing && <ChooseTags customer_id={customer_id} name={name} tags={tags} onClose={() => setIsChoosing(false)} />}
    </>
  )
}

interface ChooseTagsProps {
  customer_id: number
  name: string
  tags: readonly CatalogueTag[]
  onClose: () => void
}

function ChooseTags({ customer_id, name, tags, onClose }: ChooseTagsProps) {
  const staff = useStaff()
  const changed = useCustomerFileChanged()
  const offered = useQuery(queries.customerFile.tags.queryOptions({ meta: { handled: true } }))
  const [chosen, setChosen] = useState<readonly number[]>(tags.map(({ tag_id }) => tag_id))
  const saving = useMutation({
    meta: { handled: true },
    mutationFn: () => api.customerFile.putTags({ customer_id, tag_ids: [...chosen] }),
    onSuccess: async ({ undo }) => {
      await changed()
      showWithUndo('Guardado.', undo, changed)
      onClose()
    },
  })
  const choices = offered.data?.tags ?? []
  const canMake = may(staff, 'catalogue.edit')
  const problem = chosen.length > MAX_CUSTOMER_TAGS ? `Caben ${MAX_CUSTOMER_TAGS} etiquetas.` : null
  return (
    <Dialog
      open
      onClose={saving.isPending ? null : onClose}
      title={`Etiquetas de ${name}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No cambiar nada
          </Button>
          <Button loading={saving.isPending} reason={problem} onClick={() => !problem && saving.mutate()}>
            Guardar
          </Button>
        </>
      }
    >
      {saving.isError && (
        <Banner tone="danger" live>
          {toFailure(saving.error).message}
        </Banner>
      )}
      <Loaded
        query={offered}
        skeleton={<Skeleton height="120px" />}
        failed="No pudimos cargar las etiquetas."
        nothing={
          choices.length === 0 && (
            <p className="muted">
              {canMake
                ? 'Todavía no hay etiquetas de clientes.'
                : 'Todavía no hay etiquetas de clientes. Las crea gerencia, o la dueña o el dueño del estudio.'}
            </p>
          )
        }
      >
        <fieldset className="stack gap-8">
          <legend className="sr-only">Etiquetas</legend>
          {choices.map(({ tag_id, name }) => (
            <Checkbox
              key={tag_id}
              checked={chosen.includes(tag_id)}
              onChange={(event) =>
                setChosen(event.currentTarget.checked ? [...chosen, tag_id] : chosen.filter((other) => other !== tag_id))
              }
            >
              {name}
            </Checkbox>
          ))}
        </fieldset>
      </Loaded>
      {canMake && <NewTag onMade={(tag_id) => setChosen([...chosen, tag_id])} />}
    </Dialog>
  )
}

function NewTag({ onMade }: { onMade: (tag_id: number) => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const making = useMutation({
    meta: { handled: true },
    mutationFn: () => api.catalogue.admin.tags.create({ name: name.trim(), type: CUSTOMER_TAG }),
    onSuccess: async ({ tag }) => {
      setName('')
      await client.invalidateQueries({ queryKey: queries.customerFile.tags.key() })
      onMade(tag.tag_id)
    },
  })
  return (
    <form
      className="row gap-8 wraps new-tag"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) making.mutate()
      }}
    >
      <TextField
        label="Etiqueta nueva"
        maxLength={60}
        value={name}
        error={making.isError ? toFailure(making.error).message : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="outline" loading={making.isPending} reason={name.trim() ? null : 'Escribe su nombre.'}>
        Crear
      </Button>
    </form>
  )
}
