/** A customer's addresses, visible to that customer only (docs/domain.md, P13). */
import { type Address, type addresses as addressCalls, addressInput } from '#contract/addresses.ts'
import type { Sent } from '#contract/crud.ts'
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { type AddressRow, deleteAddress, findAddress, insertAddress, listAddresses, updateAddress } from './store.ts'

type AddressSent = Sent<typeof addressCalls>

/** Maximum number of addresses of a customer. */
const MOST = 20

const out = ({ customer_id: _, createdAt: __, updatedAt: ___, ...shown }: AddressRow): Address => shown

/** The caller's addresses, last saved first. */
export async function addresses(ctx: Ctx): Promise<{ addresses: Address[] }> {
  return { addresses: (await listAddresses(ctx.db, ctx.customer.customer_id)).map(out) }
}

/** One address of the caller. NOT_FOUND, also for another customer's. */
export async function oneAddress(ctx: Ctx, input: { Address_id: number }): Promise<{ address: Address }> {
  const found = await findAddress(ctx.db, input.Address_id, ctx.customer.customer_id)
  if (!found) throw refuse('NOT_FOUND')
  return { address: out(found) }
}

/** A customer's address for invoices: the last saved one. */
export async function findLastAddress(db: Reader, customer_id: number): Promise<Address | null> {
  const [last] = await listAddresses(db, customer_id)
  return last ? out(last) : null
}

/** Creates an address, or changes the given fields of an existing one. NOT_FOUND, INVALID_INPUT without city, state or country. */
export async function saveAddressOf(ctx: Ctx, input: AddressSent): Promise<{ address: Address }> {
  const { customer_id } = ctx.customer
  const save = (tx: Tx) => saveAddress(ctx, tx, customer_id, input)
  return { address: await (input.Address_id == null ? ctx.once('addresses.create', input, save) : ctx.tx(save)) }
}

/** Changes the given fields of an address of the caller. INVALID_INPUT without its id, NOT_FOUND. */
export async function changeAddressOf(ctx: Ctx, input: AddressSent): Promise<{ address: Address }> {
  if (input.Address_id == null) throw refuse('INVALID_INPUT', { issues: [{ path: 'Address_id', message: 'Falta decir cuál.' }] })
  return saveAddressOf(ctx, input)
}

/** Saves an address of any customer in the caller's transaction; a new one without `Address_id`. */
export async function saveAddress(ctx: Ctx, tx: Tx, customer_id: number, input: AddressSent): Promise<Address> {
  const { Address_id, ...sent } = input
  const values = Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, value === '' ? null : value]))
  if (Address_id != null) {
    const saved = await updateAddress(tx, { Address_id, customer_id }, { ...values, updatedAt: ctx.now })
    if (!saved) throw refuse('NOT_FOUND')
    await auditOfOthers(ctx, tx, saved)
    return out(saved)
  }
  const whole = addressInput.safeParse(sent)
  if (!whole.success)
    throw refuse('INVALID_INPUT', { issues: whole.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) })
  if ((await listAddresses(tx, customer_id)).length >= MOST)
    throw refuse('INVALID_INPUT', { issues: [{ path: '', message: `Puedes guardar hasta ${MOST} direcciones.` }] })
  const { city, state, country } = whole.data
  const address = await insertAddress(tx, { ...values, city, state, country, customer_id, createdAt: ctx.now, updatedAt: ctx.now })
  await auditOfOthers(ctx, tx, address)
  return out(address)
}

/** Changes by staff in a customer's record are audited. */
async function auditOfOthers(ctx: Ctx, tx: Tx, row: AddressRow): Promise<void> {
  if (ctx.customerOrNull?.customer_id !== row.customer_id)
    await ctx.audit(tx, { action: 'address.change', entity: 'customer', entity_id: row.customer_id, after: out(row) })
}

/** Removes an address of the caller. NOT_FOUND, also for another customer's. */
export async function removeAddress(ctx: Ctx, input: { Address_id: number }): Promise<{ ok: true }> {
  const own = { Address_id: input.Address_id, customer_id: ctx.customer.customer_id }
  if (!(await ctx.tx((tx) => deleteAddress(tx, own)))) throw refuse('NOT_FOUND')
  return { ok: true }
}
