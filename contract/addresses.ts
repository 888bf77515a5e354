/** A customer's addresses (spec 2 sections 3, 5 and 7). Records carry `Address_id`, with a capital A (S2-3.02). */
import * as z from 'zod'
import { validation } from './copy/messages.ts'
import { crud } from './crud.ts'
import { endpoint, id, pathId, refusals, singleLine } from './endpoint.ts'

const demanded = (message: string) => singleLine(120, message).min(1, message)
const open = (max: number) => singleLine(max).nullish()

const written = {
  street: open(120),
  number: open(20),
  interior_number: open(20),
  neighborhood: open(120),
  city: demanded(validation.city),
  state: demanded(validation.state),
  zip_code: open(12),
  country: demanded(validation.country),
}

const shown = {
  street: z.string().nullable(),
  number: z.string().nullable(),
  interior_number: z.string().nullable(),
  neighborhood: z.string().nullable(),
  city: z.string(),
  state: z.string(),
  zip_code: z.string().nullable(),
  country: z.string(),
}

/** City, state and country are required, all other fields are optional (S2-5.01 to S2-5.04). */
export const addressInput = z.object(written)
export const address = z.object({ Address_id: id, ...shown })
export type Address = z.infer<typeof address>

const { create, update, remove } = crud({
  path: '/addresses',
  one: 'address',
  many: 'addresses',
  id: 'Address_id',
  tag: 'Clientes',
  called: 'mis direcciones',
  access: 'customer',
  fields: written,
  row: shown,
})

/** The caller's own addresses; another customer's is NOT_FOUND. */
export const addresses = {
  list: endpoint('GET', '/addresses', 'customer', 'Clientes', 'Mis direcciones').output(z.object({ addresses: z.array(address) })),
  one: endpoint('GET', '/addresses/{Address_id}', 'customer', 'Clientes', 'Una dirección')
    .input(z.object({ Address_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ address })),
  create,
  update,
  remove,
}
