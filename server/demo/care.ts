/** What the demo's staff know about their customers: tags and notes. */
import { and, asc, eq, isNull, like } from 'drizzle-orm'
import { CUSTOMER_TAG } from '#contract/customer-file.ts'
import { customerTag, tag } from '#server/modules/catalogue/tables.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customer, customerNote, staff } from '#server/modules/people/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import { insertMany } from './bulk.ts'
import { Chance } from './chance.ts'
import { INVENTED } from './names.ts'

const DAY = 86_400_000

/** Tags with how many of the customers have them. */
const TAGS = [
  { name: 'Madrugadora', color: '#ffb300', share: 0.14 },
  { name: 'Vecina', color: '#2f9e6e', share: 0.18 },
  { name: 'Embarazo', color: '#e05a8a', share: 0.03 },
  { name: 'Convenio oficina', color: '#2a35e0', share: 0.07 },
] as const

const NOTES = [
  { text: 'Prefiere WhatsApp. No llamar en horas de oficina.', for_coaches: false },
  { text: 'Cuida la rodilla derecha: que avise si le molesta.', for_coaches: true },
  { text: 'Pidió factura cada mes. Sus datos fiscales están en Perfil.', for_coaches: false },
  { text: 'Le gusta el lugar junto a la ventana.', for_coaches: true },
  { text: 'Viene con su hermana; reservarles juntas si se puede.', for_coaches: true },
  { text: 'Quedó de pasar por la botella que olvidó.', for_coaches: false },
] as const
const NOTED = 0.12

/** Writes the tags and notes of the invented customers. */
export async function writeCare(ctx: Ctx, tx: Tx): Promise<void> {
  const chance = new Chance(19_660_412)
  const people = await tx
    .select({ customer_id: customer.customer_id, createdAt: customer.createdAt })
    .from(customer)
    .where(and(isNull(customer.deletedAt), like(customer.email, `%@${INVENTED}`)))
    .orderBy(asc(customer.customer_id))
  const tags = await tx
    .insert(tag)
    .values(TAGS.map(({ name, color }) => ({ name, color, type: CUSTOMER_TAG })))
    .returning({ tag_id: tag.tag_id })
  const [reception] = await tx.select({ staff_id: staff.staff_id }).from(staff).where(eq(staff.role, 'reception'))
  const tagged = people.flatMap(({ customer_id }) =>
    TAGS.flatMap(({ share }, n) => (chance.happens(share) ? [{ customer_id, tag_id: tags[n]?.tag_id }] : [])),
  )
  const notes = people.flatMap(({ customer_id, createdAt }) => {
    if (!reception || !chance.happens(NOTED)) return []
    const age = ctx.now.getTime() - createdAt.getTime()
    const at = new Date(ctx.now.getTime() - Math.min(age, chance.between(1, 200) * DAY))
    return [{ customer_id, ...chance.one(NOTES), pinned: false, staff_id: reception.staff_id, createdAt: at, updatedAt: at }]
  })
  if (tagged.length) await insertMany(tx, customerTag, tagged)
  if (notes.length) await insertMany(tx, customerNote, notes)
}
